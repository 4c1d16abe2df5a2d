/**
 * A plan of the stateful model: what one run does to one or two servers and their tools, as plain data, so that a counterexample
 * can be saved, shrunk, printed and written as a case. What a step does is in `run.ts`; when it may come, in `walk.ts`.
 */
import { z } from 'zod';

/** Raw names that a list may hold. One has a dot, and two differ only in case. */
export const RAW_NAMES = ['alpha', 'Alpha', 'admin.reset', 'gamma', 'delta', 'epsilon'] as const;
/** The most calls that are under way at once. */
export const MAX_UNDER_WAY = 4;

const pick = z.int().min(0).meta({ description: 'Chooses among what there is, modulo its number.' });

const on = z.literal([0, 1]).optional().meta({ description: 'Which server; the first when it is left out.' });

/** One step. */
export const modelStep = z.discriminatedUnion('do', [
  /** The server's list becomes another one. It tells nobody. A tool that is renamed stays what it was under its new name. */
  z.strictObject({ do: z.literal('change'), on, edit: z.enum(['add', 'remove', 'alter', 'rename']), pick }),
  /** The server announces that its list changed, so many times at once. */
  z.strictObject({ do: z.literal('notify'), on, times: z.int().min(1) }),
  /** The server announces, and holds the listing that follows at its first or last page. It will end as `ends` says. */
  z.strictObject({ do: z.literal('hold'), on, page: z.enum(['first', 'last']), ends: z.enum(['answer', 'error']) }),
  /** The held listing goes on: with the list of the moment it began, or with an error. */
  z.strictObject({ do: z.literal('release'), on }),
  /** One call, from start to end. */
  z.strictObject({ do: z.literal('call'), on, pick }),
  /** One call that the server holds. */
  z.strictObject({ do: z.literal('start'), on, pick }),
  /** The server answers one of the calls it holds, in any order. */
  z.strictObject({ do: z.literal('finish'), on, pick }),
  /** The caller gives up one of the calls under way; the server answers it all the same, too late. */
  z.strictObject({ do: z.literal('cancel'), on, pick }),
  /** The server's process ends by itself. */
  z.strictObject({ do: z.literal('crash'), on }),
  /** The subject restarts the server with the same entry. */
  z.strictObject({ do: z.literal('reload'), on }),
  /** The subject gives the server up. */
  z.strictObject({ do: z.literal('remove'), on }),
  /** And takes it again. */
  z.strictObject({ do: z.literal('add'), on }),
  /** The subject is closed as a whole, whatever is under way at any server. */
  z.strictObject({ do: z.literal('dispose') }),
  /** And opened again. */
  z.strictObject({ do: z.literal('open') }),
]);

/** What one run does. */
export const modelPlan = z.strictObject({
  base: z.int().min(0).meta({ description: 'Where versions of tools begin, so that no two runs list the same tools.' }),
  size: z.int().min(1).max(RAW_NAMES.length).meta({ description: 'How many tools the first list has.' }),
  pageSize: z.int().min(1).max(RAW_NAMES.length),
  steps: z.array(modelStep),
});

/** One step. */
export type ModelStep = z.infer<typeof modelStep>;
/** What one run does. */
export type ModelPlan = z.infer<typeof modelPlan>;

/** The number of the server that a step is about. */
export function serverOf(step: ModelStep): 0 | 1 {
  return 'on' in step ? (step.on ?? 0) : 0;
}

/** One step in a few words, for a failure that a person reads. */
export function describeStep(step: ModelStep): string {
  return serverOf(step) === 0 ? describeDeed(step) : `on the other server ${describeDeed(step)}`;
}

function describeDeed(step: ModelStep): string {
  switch (step.do) {
    case 'change':
      return `change the list (${step.edit} ${step.pick})`;
    case 'notify':
      return step.times === 1 ? 'announce' : `announce ${step.times} times`;
    case 'hold':
      return `announce and hold the ${step.page} page of the listing (then ${step.ends})`;
    case 'release':
      return 'release the listing';
    case 'call':
    case 'start':
    case 'finish':
    case 'cancel':
      return `${step.do} ${step.pick}`;
    default:
      return step.do;
  }
}

/** All steps in one line. */
export function describePlan(plan: ModelPlan): string {
  const steps = plan.steps.map((step, index) => `${index}: ${describeStep(step)}`);
  return `${plan.size} tools in pages of ${plan.pageSize}; ${steps.join(' → ') || 'no step'}`;
}
