/** Defects in what others see and hear of a sync. */
import type { BridgeAdapter } from 'mcp-bridge-conformance/adapter';
import { mutant, type Mutant } from '../mutant.ts';
import { around } from '../plant.ts';

/** Tells of a changed registry in two steps, as a bridge does that waits in the middle of a swap. */
function inHalves(inner: BridgeAdapter): Partial<BridgeAdapter> {
  let names = '';
  return {
    onNotification: (listener) =>
      inner.onNotification((told) => {
        if (told.type === 'registry') {
          const now = JSON.stringify(told.tools.map(({ name }) => name));
          if (now !== names && told.tools.length > 100) listener({ ...told, tools: told.tools.slice(0, told.tools.length / 2) });
          names = now;
        }
        listener(told);
      }),
  };
}

/** Says nothing that a person would have to act on. */
function silent(inner: BridgeAdapter): Partial<BridgeAdapter> {
  return {
    onNotification: (listener) =>
      inner.onNotification((told) => {
        if (told.type !== 'log' || (told.level !== 'warn' && told.level !== 'error')) listener(told);
      }),
  };
}

/** See the names. */
export const tellingMutants: readonly Mutant[] = [
  mutant('GENERATION-005', 'fails-in-silence', { kind: 'adapter', create: () => around(silent) }),
  mutant('GENERATION-006', 'swaps-in-halves', { kind: 'adapter', create: () => around(inHalves) }),
];
