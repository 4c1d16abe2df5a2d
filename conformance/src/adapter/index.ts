/**
 * What somebody needs who writes an adapter, without the suite and without vitest.
 * @module
 */
export { completeAdapter, type PartialAdapter } from './complete-adapter.ts';
export {
  ADAPTER_VERSION, AdapterError, FEATURES, isAdapterError, LEVELS, type AdapterErrorCode, type AdapterFactory, type BridgeAdapter,
  type CallReply, type CallRequest, type Feature, type GateRequest, type HostChange, type HostSpec, type Level, type OfferedTool,
  type OpenReply, type OpenRequest, type ServerReply, type ServerSpec, type StateReply, type SubjectDescription,
  type SubjectNotification, type ToolsReply, type ViewBlock,
} from './bridge-adapter.ts';
export { HOST_EVENTS } from './host-events.ts';
export { serveDriver, type ServeDriverOptions } from './driver.ts';
export { DRIVER_PROTOCOL } from './driver-protocol.ts';
export { outOfProcess, type DriverAdapter } from './out-of-process.ts';
export { DRIVER_BOUNDS, type DriverBounds } from './driver-bounds.ts';
export type { DriverCommand } from './driver-process.ts';
