/**
 * What the project's own suite uses to plant defects. Not API: it may change with any release.
 * @module
 */
export { createBridgePlugin, type BridgePlugin } from './plugin.ts';
export { referenceStages, type BridgeStages, type DisposeStep } from './stages.ts';
export { bridgeState, whenDisposed, type ServerState, type ServerStatus } from './state.ts';
export { STATE_EVENT } from './host-events.ts';
export { resolveConfig, type ConfigVerdict } from './config.ts';
export { describeConfig } from './config-schema.ts';
export { BridgeError, describeError, type BridgeErrorCode, type Executed } from './errors.ts';
export type { CallInput, CallStages } from './call-execution.ts';
export type { CanonicalValue } from './canonical-value.ts';
export type { OpenedSession, OpenSessionOptions } from './client-session.ts';
export type { BuildInput, BuiltDefinitions, BuiltTool, ToolSlot } from './definitions.ts';
export type { DrainLimits } from './discovery.ts';
export type { Generation, RegisteredTool, SwapInput, SwapOutcome } from './generation.ts';
export type { Clock } from './clock.ts';
export type { BudgetDecision, BudgetState, DecideReconnect, ReconnectPolicy } from './reconnect-budget.ts';
export type { Coalescer, CoalescerOptions } from './refresh-coalescer.ts';
export type { Admission, AdmissionInput } from './image-admission.ts';
export { refuseImages, type BatchLimits, type DecodedBatch, type ImageRefusal } from './image-batch.ts';
export type { ImageCall, ImageStages } from './image-projection.ts';
export { ProjectionStaging, type StagedProjection } from './image-staging.ts';
export type { Storage, StorageInput } from './image-storage.ts';
export { IMAGES_NOT_SHOWN, type ImageAdmission, type ProjectionOptions } from './result-projection.ts';
export type { CloseReason, RawToolPage, RequestLimits, Session, SessionListeners } from './session.ts';
export type { ServerDirectory, ToolIdentity } from './server-directory.ts';
export type { CheckedList, CheckListInput, NamedTool } from './tool-list.ts';
