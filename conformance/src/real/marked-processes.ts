import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/** Ids of live processes whose command line contains `marker`: a text so unlikely that only our own entry carries it. */
export function markedProcesses(marker: string): readonly number[] {
  const own = process.pid;
  const lines = process.platform === 'linux' ? fromProc() : fromPs();
  return lines.filter(([pid, commandLine]) => pid !== own && commandLine.includes(marker)).map(([pid]) => pid);
}

function fromProc(): readonly (readonly [number, string])[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), commandLineOf(name)] as const);
}

/** Empty for a process that ended in between, and for one that is dead but not yet waited for. */
function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function fromPs(): readonly (readonly [number, string])[] {
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(.*)$/.exec(line))
    .flatMap((match) => (match === null ? [] : [[Number(match[1]), match[2] ?? ''] as const]));
}
