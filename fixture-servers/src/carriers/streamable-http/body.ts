import type { IncomingMessage } from 'node:http';

/** What came as the body of a request. */
export type Body = { readonly kind: 'whole'; readonly text: string; readonly bytes: number } | { readonly kind: 'too-large' } | { readonly kind: 'broken' };

/** Reads a body of at most `maxBytes`; calls back exactly once. What passes the bound is read no further. */
export function readBody(request: IncomingMessage, maxBytes: number, done: (body: Body) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isDone = false;
  const finish = (body: Body): void => {
    if (isDone) return;
    isDone = true;
    done(body);
  };
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      chunks.length = 0;
      request.pause();
      finish({ kind: 'too-large' });
    } else if (!isDone) chunks.push(chunk);
  });
  request.on('end', () => {
    const [first] = chunks;
    const whole = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    finish({ kind: 'whole', text: whole.toString('utf8'), bytes });
  });
  request.on('error', () => finish({ kind: 'broken' }));
  request.on('close', () => finish({ kind: 'broken' }));
}
