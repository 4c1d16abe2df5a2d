import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { messageOf, systemErrorCode } from '../system-error.ts';
import { failWith } from './check.ts';
import { MAX_FILE_BYTES } from './limits.ts';

/**
 * Reads a text file that may be a stranger's: at most one byte past the bound, whatever is behind the name.
 * @throws ScenarioError `unreadable`, or `syntax` when it is not UTF-8
 */
export async function readText(path: string): Promise<string> {
  let text: Buffer;
  try {
    const file = await open(path, 'r');
    try {
      const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);
      let length = 0;
      while (length < buffer.length) {
        const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      text = buffer.subarray(0, length);
    } finally {
      await file.close();
    }
  } catch (error) {
    failWith(path, 'unreadable', [{ path: [], message: `cannot be read: ${reason(error)}` }]);
    throw error;
  }
  // Past the bound it may end within a character; that it is too large is said by who parses it.
  if (text.length <= MAX_FILE_BYTES && !isUtf8(text)) {
    failWith(path, 'syntax', [{ path: [], message: 'is not UTF-8 text; save it as UTF-8, or name another file' }]);
  }
  return text.toString('utf8');
}

function reason(error: unknown): string {
  switch (systemErrorCode(error)) {
    case 'ENOENT':
      return 'there is no such file; correct the path';
    case 'EISDIR':
      return 'it is a folder; name a file in it';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied; make it readable for this user';
    default:
      return `${messageOf(error)}; name a readable file`;
  }
}
