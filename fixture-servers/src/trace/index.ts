/** The trace: its language, reading one, and showing it. */
export {
  faultRecord, frameRecord, holdRecord, processRecord, traceRecord, TRACE_VERSION, type FrameRecord, type TraceRecord,
} from './schema.ts';
export { readTrace, TraceError } from './reader.ts';
export { readTraceFile, type TraceLine } from './read-file.ts';
export { createDiagram, type Diagram, type DiagramOptions } from './diagram.ts';
