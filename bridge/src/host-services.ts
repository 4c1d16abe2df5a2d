/**
 * The host's services as the bridge sees them: structural types only, so that the bridge imports no host at run time
 * and the same code runs in Cordis 3, Cordis 4 and the DeepSeek Harness (S10).
 *
 * Every type here is the smallest shape the bridge needs or the embedded host offers; a real host may have more.
 */

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/** Text for the model. */
export interface TextBlock {
  type: 'text';
  text: string;
}

/** A reference to one stored image. What is inside belongs to the attachment store; `mediaType` and `sha256` are common. */
export interface ImageReference {
  readonly mediaType?: string;
  readonly sha256?: string;
  readonly [key: string]: unknown;
}

/** An image for the model, by reference: never its bytes (S46). */
export interface ImageBlock {
  type: 'image';
  attachment: ImageReference;
}

/** One block of what the model sees. Hosts may know more kinds; the bridge produces these two. */
export type ContentBlock = TextBlock | ImageBlock;

/** The agent on whose behalf a call runs: only what a route lookup needs (S44). */
export interface CallingAgent {
  readonly session?: {
    requestHeader?(): { readonly config?: { readonly provider?: string; readonly model?: string } } | undefined;
  };
  readonly options?: { readonly provider?: string; readonly model?: string };
}

/** One call inside the registry's pipeline. The object's identity is the execution's identity (S47). */
export interface ToolExecution {
  readonly callId: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly agent?: CallingAgent;
  /** Set when a program (Code Mode) made the call rather than the model. */
  readonly parent?: unknown;
  readonly signal: AbortSignal;
}

/** A success as the registry holds it: the canonical value and its content for the model. */
export interface ToolExecutionSuccess {
  readonly isError: false;
  readonly value: JsonValue;
  readonly content: ContentBlock[];
}

/** A failure as the registry holds it. */
export interface ToolExecutionFailure {
  readonly isError: true;
  readonly error: {
    readonly message: string;
    readonly info?: { readonly name: string; readonly code: string };
    /** What was thrown, for programs in the same process; not enumerable, embedded host only. */
    readonly cause?: unknown;
  };
  readonly content: ContentBlock[];
}

/** The outcome of one call. */
export type ToolExecutionResult = ToolExecutionSuccess | ToolExecutionFailure;

/** What a tool declares about its canonical value. */
export interface ToolOutput {
  /** JSON Schema of the canonical value. */
  readonly schema: JsonObject;
  /** Pure and synchronous (S47). */
  render(args: unknown, value: JsonValue): ContentBlock[];
}

/** What the bridge registers for each tool (DESIGN.md, "The registry contract"). */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly output: ToolOutput;
  /** Resolves with the canonical value; rejects for a failed call. */
  execute(args: unknown, exec: ToolExecution): Promise<unknown>;
  /** Called once for each outcome; `undefined` keeps the content. Must not throw. */
  finalizeContent?(exec: Readonly<ToolExecution>, result: Readonly<ToolExecutionResult>): ContentBlock[] | undefined;
}

/** The tool registry, `ctx.tools`. */
export interface ToolRegistry {
  /**
   * Adds one tool.
   * @returns removes exactly this tool again.
   * @throws when the name is taken.
   */
  register(definition: ToolDefinition): () => void;
}

/** One image to store. */
export interface ImageInput {
  readonly data: Uint8Array;
  readonly mediaType: string;
}

/** The attachment store, `ctx.attachments`; optional, looked up for each call (S10, S44). */
export interface AttachmentStore {
  /** Stores a whole ordered batch or nothing; references come in input order (S43). */
  saveImages(inputs: readonly ImageInput[]): Promise<readonly ImageReference[]>;
}

/** The model routes, `ctx.llm`; optional, looked up for each call (S44). */
export interface ModelRoutes {
  resolveModelInfo(
    provider: string,
    model: string,
    signal?: AbortSignal,
  ): Promise<{ readonly inputModalities?: readonly string[] }>;
}

/** A named logger of the host. */
export interface HostLogger {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

/**
 * The part of a Cordis context, of either major version, that the bridge uses.
 *
 * Cordis 3: `ctx.logger` is callable with a name; `ctx.effect` runs disposers synchronously.
 * Cordis 4: `ctx.logger` is callable and also a logger; `ctx.effect` awaits an async disposer.
 */
export interface HostContext {
  readonly tools: ToolRegistry;
  readonly root: object;
  readonly logger?: ((name: string) => HostLogger) & Partial<HostLogger>;
  get(service: string): unknown;
  effect(callback: () => () => void | Promise<void>, label?: string): unknown;
}
