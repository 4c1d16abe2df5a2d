/** Stages of the reference, written or timed in another way. */
import { createHash } from 'node:crypto';
import { referenceStages, type Coalescer } from 'cordis-plugin-mcp-bridge/internal';
import { withStages } from '../plant.ts';
import { equivalent, laterTurn, turned, type Equivalent, type OnUse } from './equivalent.ts';

const LEGAL = new Set('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-');

/** S14 to S17, one code unit after the other, without a pattern. */
function nameByCodeUnits(serverName: string, rawName: string): string {
  const wanted = ['mcp', serverName, rawName].join('__');
  let kept = '';
  for (let at = 0; at < wanted.length; at += 1) kept += LEGAL.has(wanted.charAt(at)) ? wanted.charAt(at) : '_';
  if (kept === wanted && wanted.length < 65) return wanted;
  const hash = createHash('sha256').update(Buffer.from(serverName)).update(Buffer.of(0)).update(Buffer.from(rawName)).digest();
  return `${kept.substring(0, 51)}_${hash.subarray(0, 6).toString('hex')}`;
}

/** Notices reach the coalescer a turn later; one that is stopped by then hears nothing. */
function hearingLater(onUse: OnUse): ReturnType<typeof withStages> {
  return withStages(() => ({
    createCoalescer: (options): Coalescer => {
      const inner = referenceStages.createCoalescer(options);
      return {
        notice: () => {
          onUse();
          void laterTurn().then(() => inner.notice());
        },
        release: () => inner.release(),
        hold: () => inner.hold(),
        stop: () => inner.stop(),
      };
    },
  }));
}

/** Delays by doubling in a loop, with the state copied. */
function doublingInALoop(onUse: OnUse): ReturnType<typeof withStages> {
  return withStages(() => ({
    decideReconnect: (policy, state, nowMs) => {
      onUse();
      const decided = referenceStages.decideReconnect(policy, { ...state }, nowMs);
      if (decided.decision.kind !== 'retry') return decided;
      let delayMs = policy.initialDelayMs;
      for (let attempt = 1; attempt < decided.decision.attempt && delayMs < policy.maxDelayMs; attempt += 1) delayMs += delayMs;
      return { state: turned(decided.state), decision: { ...decided.decision, delayMs: delayMs > policy.maxDelayMs ? policy.maxDelayMs : delayMs } };
    },
  }));
}

/** Equivalents of stages. */
export const stageEquivalents: readonly Equivalent[] = [
  equivalent('names-by-code-units', {
    kind: 'stage',
    areas: ['naming'],
    create: (onUse) => withStages(() => ({
      publicToolName: (serverName, rawName) => {
        onUse();
        return nameByCodeUnits(serverName, rawName);
      },
    })),
  }),
  equivalent('takes-lists-apart', {
    kind: 'stage',
    areas: ['discovery'],
    create: (onUse) => withStages(() => ({
      drainTools: async (...given) => {
        onUse();
        const listed = await referenceStages.drainTools(...given);
        await laterTurn();
        return listed.map(turned);
      },
    })),
  }),
  equivalent('hears-of-changes-a-turn-later', { kind: 'stage', areas: ['generation'], create: hearingLater }),
  equivalent('begins-calls-a-turn-later', {
    kind: 'stage',
    areas: ['call'],
    create: (onUse) => withStages(() => ({
      callTool: async (...given) => {
        onUse();
        await laterTurn();
        return referenceStages.callTool(...given);
      },
    })),
  }),
  equivalent('projects-a-copy', {
    kind: 'stage',
    areas: ['projection'],
    create: (onUse) => withStages(() => ({
      projectResult: (value, options) => {
        onUse();
        return referenceStages.projectResult({ ...value, content: value.content.map((block) => turned(structuredClone(block))) }, options).map(turned);
      },
    })),
  }),
  equivalent('turns-the-environment', {
    kind: 'stage',
    areas: ['environment'],
    create: (onUse) => withStages(() => ({
      buildChildEnv: (...given) => {
        onUse();
        return turned(referenceStages.buildChildEnv(...given));
      },
    })),
  }),
  equivalent('doubles-delays-in-a-loop', { kind: 'stage', areas: ['connection'], create: doublingInALoop }),
];
