import { statSync } from 'node:fs';

/** Whether two paths lead to one file, over links of either kind. A path that leads nowhere is nobody's. */
export function isSameFile(left: string, right: string): boolean {
  try {
    const [one, other] = [statSync(left, { bigint: true }), statSync(right, { bigint: true })];
    return one.dev === other.dev && one.ino === other.ino;
  } catch {
    return false;
  }
}

/** Whether the path leads to something that gives its content once, such as a pipe. */
export function isReadOnce(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}
