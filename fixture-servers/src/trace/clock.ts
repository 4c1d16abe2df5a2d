/** Milliseconds on the monotonic clock that all processes of one machine share; only differences mean anything. */
export function nowMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
