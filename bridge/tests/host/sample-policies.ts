/** Policies for tests of the host. */
import { defer } from '../helpers-logic/scripted-session.ts';

/** A policy's stage and its two barriers. */
export interface HeldStage<Decision> {
  readonly stage: () => Promise<Decision>;
  /** Resolves when a call waits in the stage. */
  readonly reached: Promise<void>;
  /** Lets it go on, with the decision. */
  readonly release: () => void;
}

/** A stage of a policy that holds a call until the test releases it. */
export function heldStage<Decision>(decision: Decision): HeldStage<Decision> {
  const [reached, released] = [defer<void>(), defer<void>()];
  const stage = async (): Promise<Decision> => {
    reached.resolve();
    await released.promise;
    return decision;
  };
  return { stage, reached: reached.promise, release: released.resolve };
}
