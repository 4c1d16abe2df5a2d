import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Where the bridge in Python and its driver are. */
export const PYTHON_SUBJECT = fileURLToPath(new URL('../../subjects/python/', import.meta.url));
/** The command that starts the driver. */
export const PYTHON_DRIVER = `python3 ${PYTHON_SUBJECT}driver.py`;

const found = spawnSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 9))'], { encoding: 'utf8' });
const isThere = found.status === 0 && found.stdout.trim() === 'True';

/** Whether tests that need Python 3.9 are left out: loudly, where there is none, and never under CI, where they then fail. */
export const withoutPython = !isThere && process.env['CI'] !== 'true';
if (withoutPython) console.warn('NOT RUN: the tests of the bridge in Python need a python3 of version 3.9 or newer on the PATH.');
