/**
 * The bridge as a list of stages, each a function with explicit inputs and outputs. The plugin runs the reference ones;
 * a test plants one defect by replacing one of them. Not API.
 * @module
 */
import { callTool, canonicalValue, checkDepth, checkOutput, isToolError, prepareArguments, refuseCall, type CallInput, type CallStages } from './call-execution.ts';
import type { CanonicalValue } from './canonical-value.ts';
import { buildChildEnv } from './child-env.ts';
import { systemClock, type Clock } from './clock.ts';
import { openSession, type OpenedSession, type OpenSessionOptions } from './client-session.ts';
import { buildDefinitions, type BuildInput, type BuiltDefinitions } from './definitions.ts';
import { drainTools, type DrainLimits } from './discovery.ts';
import { swapGeneration, type SwapInput, type SwapOutcome } from './generation.ts';
import { admitImages } from './image-admission.ts';
import { decodeImages } from './image-batch.ts';
import { stageImages } from './image-projection.ts';
import { storeImages } from './image-storage.ts';
import { publicToolName } from './naming.ts';
import { lost, type DecideReconnect } from './reconnect-budget.ts';
import { createCoalescer, type Coalescer, type CoalescerOptions } from './refresh-coalescer.ts';
import { projectError, projectResult } from './result-projection.ts';
import type { Session } from './session.ts';
import { checkList, type CheckedList, type CheckListInput } from './tool-list.ts';

/** One step of a disposal (S60). */
export type DisposeStep =
  /** No new work: attempt and sync under way are given up, nothing is scheduled any more. */
  | 'stop-work'
  /** Every tool leaves the registry. */
  | 'unregister-tools'
  /** The connection is closed, and the server waited for, within the bounds of the config. */
  | 'close-connection'
  /** Attempt and sync under way are awaited. */
  | 'await-work'
  /** The name is free for another instance. */
  | 'free-name';

/** Every replaceable part of the bridge. */
export interface BridgeStages extends CallStages {
  /** The public name of one identity (S14-S17). */
  readonly publicToolName: (serverName: string, rawName: string) => string;
  /** The environment of a child process (S51). */
  readonly buildChildEnv: typeof buildChildEnv;
  /** Connects; decorate it to change what crosses the wire (`decorateTransport`) or what a session does. */
  readonly openSession: (options: OpenSessionOptions) => Promise<OpenedSession>;
  /** Reads every page (S24, B01). */
  readonly drainTools: (serverName: string, session: Session, limits: DrainLimits) => Promise<readonly unknown[]>;
  /** Names the tools and refuses a void list (S18, S26). */
  readonly checkList: (input: CheckListInput) => CheckedList;
  /** Builds what is registered (S25). */
  readonly buildDefinitions: (input: BuildInput) => BuiltDefinitions;
  /** Replaces one generation by the next (S28-S33). */
  readonly swapGeneration: (input: SwapInput) => SwapOutcome;
  /** Runs one call (S34-S39). */
  readonly callTool: (input: CallInput, stages: CallStages) => Promise<CanonicalValue>;
  /** Collects list-change notices (B02, S31). */
  readonly createCoalescer: (options: CoalescerOptions) => Coalescer;
  /** What follows a loss or a failed attempt (S52-S54). */
  readonly decideReconnect: DecideReconnect;
  /** Time and timers of list changes and reconnection; not of single requests. */
  readonly clock: Clock;
  /** The order of a disposal (S60). */
  readonly disposeSteps: readonly DisposeStep[];
}

/** The bridge as it is meant to be. */
export const referenceStages: BridgeStages = {
  publicToolName,
  buildChildEnv,
  openSession,
  drainTools,
  checkList,
  buildDefinitions,
  swapGeneration,
  callTool,
  refuseCall,
  prepareArguments,
  canonicalValue,
  isToolError,
  projectError,
  checkDepth,
  checkOutput,
  stageImages,
  decodeImages,
  admitImages,
  storeImages,
  projectResult,
  createCoalescer,
  decideReconnect: lost,
  clock: systemClock,
  disposeSteps: ['stop-work', 'unregister-tools', 'close-connection', 'await-work', 'free-name'],
};
