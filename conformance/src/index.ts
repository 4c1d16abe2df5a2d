/**
 * The suite for a bridge author: write an adapter, hand its factory to `describeBridgeConformance` in a vitest file, or
 * give its module to the command line.
 * @module
 */
export {
  ADAPTER_VERSION, AdapterError, FEATURES, isAdapterError, LEVELS, type AdapterErrorCode, type AdapterFactory, type BridgeAdapter,
  type CallReply, type CallRequest, type Feature, type GateRequest, type HostChange, type HostSpec, type Level, type OfferedTool,
  type OpenReply, type OpenRequest, type ServerReply, type ServerSpec, type StateReply, type SubjectDescription,
  type SubjectNotification, type ToolsReply, type ViewBlock,
} from './adapter/bridge-adapter.ts';
export { completeAdapter, type PartialAdapter } from './adapter/complete-adapter.ts';
export { inProcess } from './adapter/in-process.ts';
export { serveDriver, type ServeDriverOptions } from './adapter/driver.ts';
export { outOfProcess, type DriverAdapter } from './adapter/out-of-process.ts';
export { DRIVER_BOUNDS, type DriverBounds } from './adapter/driver-bounds.ts';
export type { DriverCommand } from './adapter/driver-process.ts';
export { invariantById, invariants, type Invariant, type InvariantId } from './catalogue/index.ts';
export { checkById, checks } from './checks/index.ts';
export type { Check, Judgement, PropertyCheck, ScriptedCheck, Target, Verdict } from './checks/check.ts';
export type { History, HistoryEvent, SavedHistory } from './history/schema.ts';
export { makeReport, type Report } from './reporters/report.ts';
export { describeBridgeConformance, type ConformanceOptions } from './runner/describe.ts';
export { plansOf, type Selection } from './runner/plans.ts';
export type { Plan } from './runner/applicability.ts';
export type { InvariantVerdict, RunResult, RunSummary } from './runner/result.ts';
export { runCheck } from './runner/run-check.ts';
export type { RunOptions } from './runner/run-options.ts';
export { SubjectWorker } from './runner/subject-worker.ts';
