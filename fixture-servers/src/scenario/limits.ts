/**
 * Bounds of the scenario language. They stand apart from the schemas so that a fixture process can read them without
 * loading the schema library: hundreds of such processes start in one run of the suite.
 */

/** The version a scenario must name. */
export const SCENARIO_VERSION = 1;
/** The longest `delay`, in milliseconds: a fixture must not outlast the run that started it. */
export const MAX_DELAY_MS = 60_000;
/** The most copies of one message that one action may send. */
export const MAX_TIMES = 100_000;
/** The most bytes one `raw` action or one padded frame may write. */
export const MAX_RAW_BYTES = 64 * 1024 * 1024;
/** How many tools the `generate` entries of one list may ask for: a stranger's file must not allocate without limit (DESIGN.md §5). */
export const MAX_GENERATED_TOOLS = 100_000;
/** The most levels that a generated schema may nest: ten times what the stack of any writer of JSON takes. */
export const MAX_LEVELS = 100_000;
/** The most bytes of JSON that one tool list may come to: it is served from memory, on one page if nobody pages it. */
export const MAX_LIST_BYTES = 64 * 1024 * 1024;
/** The most bytes of one scenario or case file: the largest real tool lists stay below 1 MiB. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** How deeply mappings and lists of a file may nest: far beyond any schema people write, far below the stack. */
export const MAX_FILE_DEPTH = 256;

/** The longest `retry` that an event stream may ask of a client, in milliseconds. */
export const MAX_RETRY_MS = 600_000;
/** How many other origins a scenario may declare: each is a port. */
export const MAX_ORIGINS = 8;
