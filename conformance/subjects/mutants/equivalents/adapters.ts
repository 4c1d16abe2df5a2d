/** Adapters that answer as the reference does, at another moment or in another shape. */
import type { AdapterFactory, BridgeAdapter } from 'mcp-bridge-conformance/adapter';
import { around } from '../plant.ts';
import { equivalent, laterTurn, turned, type Equivalent, type OnUse } from './equivalent.ts';

/** What changed is told a turn later, in order. */
function tellingLater(onUse: OnUse): AdapterFactory {
  return around((inner) => ({
    onNotification: (listener) => {
      let last = Promise.resolve();
      let listening = true;
      const stop = inner.onNotification((told) => {
        onUse();
        const before = last;
        last = (async () => {
          await before;
          await laterTurn();
          if (listening) listener(told);
        })();
      });
      return () => {
        listening = false;
        stop();
      };
    },
  }));
}

/** Lists and outcomes are copies with their members in another order. */
function tellingCopies(onUse: OnUse): AdapterFactory {
  const copied = (inner: BridgeAdapter): Partial<BridgeAdapter> => ({
    tools: async () => {
      onUse();
      const { tools, ...rest } = await inner.tools();
      return { tools: tools.map((tool) => turned(structuredClone(tool))), ...rest };
    },
    call: async (request) => turned(structuredClone(await inner.call(turned(request)))),
  });
  return around(copied);
}

/** Equivalents around the reference. */
export const adapterEquivalents: readonly Equivalent[] = [
  equivalent('tells-a-turn-later', { kind: 'adapter', areas: ['config', 'host'], create: tellingLater }),
  equivalent('tells-copies', { kind: 'adapter', areas: ['host', 'generation'], create: tellingCopies }),
];
