import type { Wire } from '../client.ts';
import { checkScenario } from '../../src/scenario/check.ts';
import type { ScenarioInput } from '../../src/scenario/schema.ts';
import { initialState } from '../../src/engine/state.ts';
import { step } from '../../src/engine/engine.ts';
import type { Effect, EngineEvent } from '../../src/engine/events.ts';

/** What tests look at in a message. */
export type { Wire };

/** An engine whose claims are answered, and what it asked for so far. */
export interface Harness {
  /** Hands over an event and returns the effects, claims answered with the incarnation. */
  hear(event: EngineEvent): Effect[];
  /** Hands over a message and returns the messages sent in return. */
  ask(message: unknown): Wire[];
  /** Hands over a control command and returns why it was refused. */
  refused(event: EngineEvent): string | undefined;
}

export function harness(input: Omit<ScenarioInput, 'scenario'>, incarnation = 1): Harness {
  const state = initialState(checkScenario({ scenario: 1, ...input }));
  const hear = (event: EngineEvent): Effect[] => {
    const effects: Effect[] = [];
    for (const effect of step(state, event).effects) {
      if (effect.type === 'claim') effects.push(...hear({ type: 'claimed', incarnation }));
      else effects.push(effect);
    }
    return effects;
  };
  hear({ type: 'spawn' });
  return {
    hear,
    ask: (message) => sentBy(hear({ type: 'message', parsed: { ok: true, value: message }, exchange: 0 })),
    refused: (event) => step(state, event).refused,
  };
}

/** The messages among effects. */
export function sentBy(effects: readonly Effect[]): Wire[] {
  return effects.flatMap((effect) => {
    if (effect.type !== 'send') return [];
    const message: Wire = JSON.parse(effect.text);
    return [message];
  });
}

/** A request. */
export function request(id: unknown, method: string, params?: unknown): Record<string, unknown> {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}
