/** What the judges on real servers must refuse and must let pass. */
import type { CallReply, OfferedTool } from '../../src/adapter/messages.ts';
import { schemeName } from '../../src/checks/naming/formula.ts';
import { history, type HistoryBuilder, type JudgeHistories } from './builder.ts';

const SERVER = 'files';
const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };
const listed = (name: string): object => ({ name, description: `Does the work of ${name}.`, inputSchema: SCHEMA });
const offeredAs = (name: string, rawName: string): OfferedTool => ({ name, description: `Does the work of ${rawName}.`, parameters: SCHEMA });
const underScheme = (rawName: string): OfferedTool => offeredAs(`mcp__${SERVER}__${rawName}`, rawName);

/** A subject opened on a server that lists these tools. */
function opened(rawNames: readonly string[], offered: readonly OfferedTool[], builder = history()): HistoryBuilder {
  return builder.event({ kind: 'truth', server: SERVER, tools: rawNames.map(listed) }).step('open', [SERVER]).registry(offered);
}

const read = underScheme('read');
const write = underScheme('write');
const both = ['read', 'write'];
const native: OfferedTool = { name: 'native', description: 'A tool of the host.', parameters: {} };
const ownScheme = { names: { scheme: 'own', pattern: '[a-z:]+', maxLength: 30, qualified: true } } as const;

/** A call whose answer is known. */
function answered(ends: 'ok' | 'error', expect: string, reply: Partial<CallReply>): HistoryBuilder {
  return opened(both, [read, write])
    .asked({ callId: 'one', name: read.name, arguments: {} }, { server: SERVER, rawName: 'read' })
    .outcome('one', reply)
    .event({ kind: 'host-event', event: 'known-answer', detail: { callId: 'one', ends, expect } });
}

const says = (text: string): Pick<CallReply, 'view'> => ({ view: [{ type: 'text', text }] });

/** A call of the tool that requires task execution. */
function taskCalled(reply: Partial<CallReply>): HistoryBuilder {
  return history()
    .event({ kind: 'truth', server: SERVER, tools: [{ name: 'study', inputSchema: {}, execution: { taskSupport: 'required' } }] })
    .asked({ callId: 'one', name: 'x', arguments: {} }, { server: SERVER, rawName: 'study' })
    .outcome('one', reply);
}

/** A call that the server witnessed, under these public and wire names. */
function witnessed(publicName: string, rawName: string, wireName = rawName): HistoryBuilder {
  return history().call(publicName, SERVER, rawName, wireName);
}

const processes = (started: number[], alive: number[]): HistoryBuilder => history().event({ kind: 'processes', started, alive });

/** What the judges of `real` must refuse and must let pass. */
export const realHistories: readonly JudgeHistories[] = [
  {
    check: 'NAMING-001/real',
    mustFail: [opened(both, [offeredAs('files.read', 'read'), write]).named('a dot in a name of the scheme')],
    mustPass: [opened(both, [offeredAs('files:read', 'read')], history(ownScheme)).named('a colon where the scheme of its own allows it')],
    mustDoubt: [opened(both, []).named('no tool is offered')],
  },
  {
    check: 'NAMING-002/real',
    mustFail: [opened(both, [read, offeredAs(read.name, 'write')]).named('two tools under one name')],
    mustPass: [opened(both, [read, write, native]).named("two tools and the host's own")],
  },
  {
    check: 'NAMING-004/real',
    mustFail: [opened(both, [read, offeredAs('mcp__other__write', 'write')]).named("a tool under another server's prefix")],
    mustPass: [opened(['read', 'admin.reset'], [read, offeredAs('anything', 'admin.reset')]).named('a name with a dot is no concern of this rule')],
  },
  {
    check: 'NAMING-005/real',
    mustFail: [witnessed('mcp__files__admin_reset', 'admin.reset').named('a dotted name without a digest')],
    mustPass: [
      witnessed('mcp__files__admin_reset_5c3ff7cec5cf', 'admin.reset').named('a dotted name with its digest'),
      witnessed('mcp__files__read', 'read').call(schemeName(SERVER, 'ü'.repeat(200)), SERVER, 'ü'.repeat(200)).call('anything', SERVER, 'write').named('two hundred letters that are all replaced, beside clean names that are no concern of this rule'),
    ],
  },
  {
    check: 'NAMING-007/real',
    mustFail: [witnessed('mcp__files__admin_reset_x', 'admin.reset', 'admin_reset').named('the public form of a dotted name is sent')],
    mustPass: [witnessed('reset', 'admin.reset').named('a public name that has nothing in common with the listed one')],
    mustDoubt: [witnessed('mcp__files__read', 'read').named('only clean names were called')],
  },
  {
    check: 'DISCOVERY-001/real',
    mustFail: [
      opened(both, [read]).named('a listed tool is missing'),
      opened(both, [write, read]).named('the order is another one'),
    ],
    mustPass: [
      opened(both, [native, read, native, write]).named("tools of the host stand between them"),
      opened(both, [{ ...read, description: `(files) ${read.description}` }, write]).named('a description has a prefix'),
    ],
    mustDoubt: [history().step('open', [SERVER]).registry([read]).named('the truth is not known')],
  },
  {
    check: 'DISCOVERY-008/real',
    mustFail: [
      opened(both, [{ ...read, description: `(files) ${read.description}` }, write]).named('a description has a prefix'),
      opened(both, [read, { ...write, parameters: { type: 'object' } }]).named('a schema is another one'),
    ],
    mustPass: [
      opened(both, [read, { ...write, parameters: { properties: SCHEMA.properties, type: 'object' } }]).named('equal as JSON'),
      opened(both, [{ ...native, description: 'Does the work of reading.' }, { ...write, name: 'x.2' }, read, { ...read, name: 'read_again' }], history(ownScheme)).named("in another order, one twice, a tool of the host between: other rules' matters"),
    ],
  },
  {
    check: 'CALL-006/real',
    mustFail: [
      answered('error', 'ENOENT', { outcome: 'ok', ...says('ENOENT: no such file') }).named('a failure passes for a success'),
      answered('error', 'ENOENT', { outcome: 'tool-error', ...says('it failed') }).named("the tool's own text is lost"),
    ],
    mustPass: [answered('error', 'ENOENT', { outcome: 'failed', message: 'ENOENT: no such file', view: [] }).named('the text is in the message alone')],
    mustDoubt: [answered('ok', 'x', says('x')).named('nothing failed')],
  },
  {
    check: 'CALL-016/real',
    mustFail: [
      taskCalled({ outcome: 'tool-error', executed: 'yes', ...says('requires task augmentation') }).named('it was called plainly'),
      taskCalled({ outcome: 'failed', executed: 'no', view: [], message: '' }).named('it was refused without a word'),
    ],
    mustPass: [taskCalled({ outcome: 'failed', executed: 'no', ...says('only as a task') }).named('it was refused with a word in the view alone')],
  },
  {
    check: 'PROJECTION-001/real',
    mustFail: [
      answered('ok', 'canary', says('nothing')).named('the text of the answer is not shown'),
      answered('ok', 'canary', { outcome: 'failed', ...says('canary') }).named('a success passes for a failure'),
    ],
    mustPass: [answered('ok', 'canary', says('before\na canary\nafter')).named('with something around it')],
  },
  {
    check: 'ISOLATION-003/real',
    mustFail: [
      processes([7], [7]).named('the process is alive'),
      processes([7], [8]).named('another process was started and is alive'),
    ],
    mustPass: [processes([7, 8], []).event({ kind: 'processes', started: [], alive: [] }).named('two processes were, and none is')],
    mustDoubt: [processes([], []).named('no process was ever seen')],
  },
];
