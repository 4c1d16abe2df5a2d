/** An object as JSON has it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value of a peer is an object: not null, no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
