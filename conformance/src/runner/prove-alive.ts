/**
 * The round by which an adapter proves itself after one that hung or ended: whoever does not come through it answers nothing
 * any more, which is no matter of a server or a stimulus.
 */
import { AdapterError, isAdapterError, type BridgeAdapter } from '../adapter/bridge-adapter.ts';
import { within } from '../bench/endings.ts';

/** What is asked, in this order. */
const ROUND = [
  ['open', (adapter: BridgeAdapter): Promise<unknown> => adapter.open({ servers: [] })],
  ['tools', (adapter: BridgeAdapter): Promise<unknown> => adapter.tools()],
  ['state', (adapter: BridgeAdapter): Promise<unknown> => adapter.state()],
  ['close', (adapter: BridgeAdapter): Promise<unknown> => adapter.close()],
] as const;

/**
 * One round without servers. An error is an answer too: some subjects refuse to open nothing, and many have no `state`. An
 * adapter that does not come through is ended.
 * @param boundMs for all of it
 * @param before what the one before did, in words that follow "one that"
 * @throws AdapterError `driver-hung` that names the method, or the one by which the adapter ended
 */
export async function proveAlive(adapter: BridgeAdapter, boundMs: number, before: string): Promise<void> {
  let at: string = ROUND[0][0];
  const round = (async () => {
    for (const [method, ask] of ROUND) {
      at = method;
      try {
        await ask(adapter);
      } catch (error) {
        if (isAdapterError(error) && error.code !== 'unsupported' && error.code !== 'driver-error') throw error;
      }
    }
  })();
  try {
    const proved = await within(round, boundMs);
    if (proved.reached) return;
  } catch (error) {
    await adapter.end?.('now');
    throw error;
  }
  await adapter.end?.('now');
  throw new AdapterError('driver-hung', `after one that ${before} a new one was started, and did not answer "${at}"${at === 'open' ? ' without servers' : ', in a round without servers,'} within ${boundMs} ms`);
}
