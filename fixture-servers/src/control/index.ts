/** The control channel for tests: scripts fixture processes and hears what they observe. */
export {
  startController, type Controller, type ControllerOptions, type DeclaredServer, type ServeHttpServerOptions, type ServeServerOptions,
} from './controller.ts';
export type { FixtureProcess, FixtureServer, ScriptedServer } from './fixture-server.ts';
export type { HttpFixtureServer } from './http-server.ts';
export type { EnvironmentAnswer } from './connection.ts';
export { ControlError, type ControlErrorCode } from './errors.ts';
export type { WaitOptions } from './record-log.ts';
export { describeRecord } from './describe.ts';
export { answered, ended, fired, held, methodOf, received, sent, type RecordPredicate } from './predicates.ts';
export { CONTROL_VERSION } from './version.ts';
