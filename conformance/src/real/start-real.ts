import type { RealServer, RealTarget } from './real-server.ts';
import { everything, filesystem } from './real-program.ts';
import { sdkHttp, type SdkHttpOptions } from './sdk-http.ts';

/** Prepares the real server of a target. Rejects with `RealServerError` `not-installed`, loudly, when its package is missing. */
export function startReal(target: RealTarget, options: SdkHttpOptions = {}): Promise<RealServer> {
  switch (target) {
    case 'server-everything':
      return everything();
    case 'server-filesystem':
      return filesystem();
    case 'sdk-http':
      return sdkHttp(options);
  }
}
