import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { groupHasRunningMember } from '../../src/process/group-members.ts';

describe('groupHasRunningMember', () => {
  let proc: string;
  beforeEach(() => (proc = mkdtempSync(join(tmpdir(), 'proc-'))));
  afterEach(() => rmSync(proc, { recursive: true }));

  /** A process as `/proc` tells of it; without `stat` it ended between two looks. */
  function add(pid: number, stat?: string): void {
    mkdirSync(join(proc, String(pid)));
    if (stat !== undefined) writeFileSync(join(proc, String(pid), 'stat'), stat);
  }

  it.each([
    ['R', true],
    ['S', true],
    ['T', true],
    ['Z', false],
    ['X', false],
  ])('takes a member in state %s for running: %s', (state, running) => {
    add(7, `7 (node) ${state} 1 42 42 0`);
    expect(groupHasRunningMember(42, proc)).toBe(running);
  });

  it('looks at the group alone, whatever the command is called', () => {
    add(7, '7 (a) S 1 42 ) S 1 43 43 0');
    expect(groupHasRunningMember(42, proc)).toBe(false);
    expect(groupHasRunningMember(43, proc)).toBe(true);
  });

  it('passes over a process that has just ended and over what is no process', () => {
    add(6);
    mkdirSync(join(proc, 'self'));
    writeFileSync(join(proc, 'self', 'stat'), '8 (node) S 1 44 44 0');
    for (const name of ['cpu8', '8k']) {
      mkdirSync(join(proc, name));
      writeFileSync(join(proc, name, 'stat'), '8 (node) S 1 44 44 0');
    }
    add(7, '7 (node) S 1 42 42 0');
    expect(groupHasRunningMember(42, proc)).toBe(true);
    expect(groupHasRunningMember(44, proc)).toBe(false);
  });

  it('does not know where nothing can be read', () => {
    expect(groupHasRunningMember(42, join(proc, 'nowhere'))).toBeUndefined();
    expect(groupHasRunningMember(42, proc)).toBeUndefined();
    add(6);
    add(7, 'hidden');
    expect(groupHasRunningMember(42, proc)).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')("finds this process in its own group, in the system's own folder", () => {
    const [, , group] = readFileSync('/proc/self/stat', 'latin1').replace(/^.*\) /, '').split(' ');
    expect(groupHasRunningMember(Number(group))).toBe(true);
    expect(groupHasRunningMember(2_147_483_647)).toBe(false);
  });
});
