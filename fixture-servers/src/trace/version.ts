/** The version each trace record names. */
export const TRACE_VERSION = 1;
/** The most characters of one frame that a record keeps, 1 MiB: a trace must stay readable whatever crosses the wire. */
export const MAX_RAW_CHARS = 1024 * 1024;
