/** A promise with its ends in hand (the platform's own comes with Node 22). */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

/** Makes one. */
export function deferred<Value>(): Deferred<Value> {
  const ends: { resolve?: (value: Value) => void; reject?: (error: unknown) => void } = {};
  const promise = new Promise<Value>((resolve, reject) => {
    ends.resolve = resolve;
    ends.reject = reject;
  });
  return { promise, resolve: (value) => ends.resolve?.(value), reject: (error) => ends.reject?.(error) };
}
