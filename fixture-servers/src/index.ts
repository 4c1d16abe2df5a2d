/** Scripted MCP servers that misbehave on purpose: the parts for programs. */
export {
  ControlError, startController, type ControlErrorCode, type Controller, type ControllerOptions, type EnvironmentAnswer,
  type FixtureProcess, type FixtureServer, type ServeServerOptions, type WaitOptions,
} from './control/index.ts';
export { assertBuilt } from './scenario/built.ts';
export { checkScenario } from './scenario/check.ts';
export { ScenarioError, type ScenarioErrorCode, type ScenarioIssue } from './scenario/error.ts';
export { expandTools, type ExpandedTool } from './scenario/expand.ts';
export type { Action, FrameOptions, Rule, Scenario, ScenarioInput, ToolEntry, When } from './scenario/schema.ts';
export type { Barrier, CaseFile, CaseInput, Step } from './case/schema.ts';
export type { FrameRecord, TraceRecord } from './trace/schema.ts';
export { initialState, type EngineState } from './engine/state.ts';
export { step } from './engine/engine.ts';
export type { Effect, EngineEvent } from './engine/events.ts';
