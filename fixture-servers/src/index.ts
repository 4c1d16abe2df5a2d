/** Scripted MCP servers that misbehave on purpose: the parts for programs. */
export {
  ControlError, startController, type ControlErrorCode, type Controller, type ControllerOptions, type EnvironmentAnswer,
  type FixtureProcess, type FixtureServer, type HttpFixtureServer, type ScriptedServer, type ServeHttpServerOptions,
  type ServeServerOptions, type WaitOptions,
} from './control/index.ts';
export { checkCase, assertCaseBuilt } from './case/check.ts';
export { findCase, listCases, loadCase, UnknownCaseError, type LibraryCase } from './case/library.ts';
export { formatCase } from './case/format.ts';
export { parseCase } from './case/parse.ts';
export { parseEither, parseFile, type ParsedFile } from './case/parse-file.ts';
export { assertBuilt } from './scenario/built.ts';
export { checkScenario } from './scenario/check.ts';
export { ScenarioError, type ScenarioErrorCode, type ScenarioIssue } from './scenario/error.ts';
export { parseScenario } from './scenario/parse.ts';
export { suggest } from './scenario/suggest.ts';
export { expandTools, type ExpandedTool } from './scenario/expand.ts';
export type { Action, FrameOptions, Rule, Scenario, ScenarioInput, ToolEntry, When } from './scenario/schema.ts';
export type { Barrier, CaseFile, CaseInput, Step } from './case/schema.ts';
export { createLineSplitter, type Line, type LineSplitter } from './jsonrpc/framing.ts';
export { readTrace, TraceError } from './trace/reader.ts';
export type { FrameRecord, TraceRecord } from './trace/schema.ts';
export { initialState, type EngineState } from './engine/state.ts';
export { CONTROL_RULE, step, type Step as EngineStep } from './engine/engine.ts';
export { MAIN_EXCHANGE, type Effect, type EngineEvent } from './engine/events.ts';
export { FAULT_RULE, faultCells, type FaultCell } from './matrix/cells.ts';
export { IDLE_SIGNAL } from './matrix/phases.ts';
export { faultTable } from './matrix/table.ts';
