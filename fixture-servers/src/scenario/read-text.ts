import { open } from 'node:fs/promises';
import { messageOf } from '../system-error.ts';
import { failWith } from './check.ts';
import { MAX_FILE_BYTES } from './limits.ts';

/**
 * Reads a text file that may be a stranger's: at most one byte past the bound, whatever is behind the name.
 * @throws ScenarioError `unreadable`
 */
export async function readText(path: string): Promise<string> {
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
      return buffer.toString('utf8', 0, length);
    } finally {
      await file.close();
    }
  } catch (error) {
    failWith(path, 'unreadable', [{ path: [], message: `cannot be read: ${messageOf(error)}` }]);
    throw error;
  }
}
