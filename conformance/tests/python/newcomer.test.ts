import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { outOfProcess } from '../../src/adapter/out-of-process.ts';
import { withoutPython } from './python.ts';

/** What a newcomer gets wrong in a first driver, by the row of the table in the README that is to help. */
const FIRST_DRIVERS: readonly (readonly [row: RegExp, program: string, opens: string, describes?: string])[] = [
  [/cannot be started/, 'pyton3', ''],
  [/exited with code 1/, 'python3', 'raise KeyError(request["params"]["server"])'],
  [/is no JSON/, 'python3', 'print("opening ...", flush=True)'],
  [/did not answer/, 'python3', ''],
  [/has not answered/, 'python3', 'import time; time.sleep(60)'],
  [/does not fit/, 'python3', 'answer({"servers": [{"name": "files", "status": "ok"}]})'],
  [/bounds\.settleMs/, 'python3', 'pass', 'answer({**about, "bounds": {"settleMs": 10**15, "closeMs": 1, "reconnectMs": 1}})'],
  [/"other"/, 'python3', 'answer({"servers": [{"name": "other", "status": "ready"}]})'],
  [/as unsupported/, 'python3', 'print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "no"}}), flush=True)'],
  [/otherwise than before/, 'python3', 'pass', 'about["version"] += ".1"; answer(about)'],
  [/no UTF-8/, 'python3', 'sys.stdout.buffer.write(b\'{"a":"caf\\xe9"}\\n\'); sys.stdout.flush()'],
  [/byte order mark/, 'python3', 'sys.stdout.buffer.write(b\'\\xef\\xbb\\xbf{}\\n\'); sys.stdout.flush()'],
  [/with the error/, 'python3', 'print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32603, "message": "not written yet"}}), flush=True)'],
];
const DESCRIPTION = {
  adapter: 1, name: 'first', version: '0', registry: 'pull', servers: 'fixed', names: { scheme: 'own', pattern: '.+', maxLength: 64, qualified: true },
  transports: ['stdio'], features: [], levels: ['core'], options: [], bounds: { settleMs: 1000, closeMs: 1000, reconnectMs: 1000 },
  fidelity: { keyOrder: true, bigNumbers: true },
};

/** A driver that describes itself well and does this when it is to open. */
function driverThat(opens: string, describes: string): string {
  return [
    'import json, sys',
    'def answer(result): print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)',
    `about = json.loads(${JSON.stringify(JSON.stringify(DESCRIPTION))})`,
    'for line in sys.stdin:',
    '    request = json.loads(line)',
    `    if request["method"] == "describe": ${describes}`,
    `    else: ${opens}`,
  ].join('\n');
}

async function told(program: string, opens: string, describes = 'answer(about)'): Promise<string> {
  const code = opens === '' ? 'import time; time.sleep(60)' : driverThat(opens, describes);
  const driver = outOfProcess({ command: program, args: ['-c', code] }, { startMs: opens === '' ? 300 : 15_000, silenceMs: 30, answerMs: 300 });
  try {
    await driver.describe();
    await driver.describe();
    await driver.open({ servers: [] });
    return 'nothing';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await driver.end('now');
  }
}

/** The first cells of the table, each as the parts that a message has to have. */
async function rows(): Promise<string[][]> {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const table = /\| what is printed \| what to do \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(readme)?.[1] ?? '';
  // Numbers are this test's own, where it shortens a bound.
  return table.trimEnd().split('\n').map((line) => (/`(.*?)`/.exec(line)?.[1] ?? '').replace('8000', '300').split('…').map((part) => part.trim()));
}

it.skipIf(withoutPython)('what the README lists is what a newcomer reads, for each mistake in a first driver', async () => {
  const listed = await rows();
  expect(listed).toHaveLength(FIRST_DRIVERS.length);
  for (const [row, program, opens, describes] of FIRST_DRIVERS) {
    const parts = listed.find((one) => row.test(one.join(' ')));
    const message = await told(program, opens, describes);
    for (const part of parts ?? ['a row of the table']) expect(message).toContain(part);
  }
});
