import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';
import { outOfProcess } from '../../src/adapter/out-of-process.ts';
import { createAdapter as createMinimal } from '../../subjects/minimal/index.ts';
import { createAdapter as createReference } from '../../subjects/reference/index.ts';
import { fakeAdapter } from '../support/fake-adapter.ts';
import { adapterContract } from './contract.ts';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const node = (path: string): (() => ReturnType<typeof outOfProcess>) => () => outOfProcess({ command: process.execPath, args: [file(path)] });
const hasPython = spawnSync('python3', ['--version']).status === 0;

adapterContract('a fake in process', { make: () => fakeAdapter(), bridge: false });
adapterContract('a driver without any library', { make: node('../drivers/scripted-driver.mjs'), bridge: false });
adapterContract('the reference in process', { make: createReference, bridge: true });
adapterContract('the reference behind a driver', { make: node('../../dist/subjects/reference/driver.js'), bridge: true });
adapterContract('the minimal bridge in process', { make: createMinimal, bridge: true });
describe.runIf(hasPython)('with Python', () => {
  adapterContract('the driver of a Python bridge', { make: () => outOfProcess({ command: 'python3', args: [file('../../subjects/python/driver.py')] }), bridge: true });
});
