/** Media types in headers; they have no case (RFC 9110, section 8.3.1). */

const BOTH = ['application/json', 'text/event-stream'] as const;

/** Whether an `Accept` header lets a server answer a POST in both ways. */
export const acceptsBoth = (header: string): boolean => header.includes('*/*') || BOTH.every((type) => header.toLowerCase().includes(type));

/** Whether a `Content-Type` is that of messages, whatever its parameters. */
export const isJsonType = (header: string): boolean => header.split(';')[0]?.trim().toLowerCase() === 'application/json';
