import type { RealServer, RealTarget } from './real-server.ts';
import { everything, filesystem } from './real-program.ts';
import { sdkHttp, type SdkHttpOptions } from './sdk-http.ts';

/** Prepares the real server of a target. Rejects with `RealServerError` `not-installed`, loudly, when its package is missing. */
export function startReal(target: RealTarget, options: SdkHttpOptions = {}): Promise<RealServer> {
  if (target === 'server-everything') return everything();
  return target === 'server-filesystem' ? filesystem() : sdkHttp(options);
}
