import { BridgeError, referenceStages, type BridgeErrorCode, type BridgeStages } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { around, isMessage, onWire, withStages, type Message } from '../plant.ts';
import { givenArgumentMutants } from './given-arguments.ts';
import { missingMutants } from './missing-structured.ts';
import { oddAnswerMutants } from './odd-answers.ts';
import { renewalMutants } from './renewals.ts';
import { repeatingOverHttp, sendingAgain } from './sending-again.ts';

/** A bridge that does something else with one kind of failure of a call. */
const onFailure = (code: BridgeErrorCode, instead: (error: BridgeError) => Promise<never>) => (): Partial<BridgeStages> => ({
  async callTool(input, stages) {
    try {
      return await referenceStages.callTool(input, stages);
    } catch (error) {
      if (error instanceof BridgeError && error.code === code) return instead(error);
      throw error;
    }
  },
});

const never = (): Promise<never> => new Promise(() => undefined);

/** Whether a tool's schema refers to something. */
const refers = (schema: unknown): boolean => JSON.stringify(schema ?? null).includes('$ref');

/** The params of a call with other arguments; other messages as they are. */
function withArguments(message: Message, change: (params: Message) => Message): Message {
  const { params } = message;
  return message['method'] === 'tools/call' && isMessage(params) ? { ...message, params: change(params) } : message;
}

/** The mutants of `call`. */
export const callMutants: readonly Mutant[] = [
  mutant('CALL-001', 'loses-prototype-keys', {
    kind: 'stage',
    // Assigning to `__proto__` sets a prototype instead of a member.
    create: () => withStages(() => ({ prepareArguments: (input) => Object.assign({}, referenceStages.prepareArguments(input)) })),
  }),
  mutant('CALL-001', 'drops-large-arguments', {
    kind: 'stage',
    create: () => withStages(() => ({
      prepareArguments: (input) => Object.fromEntries(Object.entries(referenceStages.prepareArguments(input)).filter(([, value]) => JSON.stringify(value).length < 1_000)),
    })),
  }),
  mutant('CALL-002', 'omits-empty-arguments', {
    kind: 'wire',
    create: () => onWire(() => ({
      send: (message, pass) => pass(withArguments(message, ({ arguments: args, ...params }) => (isMessage(args) && Object.keys(args).length === 0 ? params : { ...params, arguments: args }))),
    })),
  }),
  // The model of CALL-050 holds calls to the same law.
  mutant('CALL-003', 'sends-unanswered-calls-again', { kind: 'wire', create: () => sendingAgain() }),
  mutant('CALL-030', 'trusts-an-idempotent-hint', { kind: 'stage', create: () => repeatingOverHttp() }),
  mutant('CALL-003', 'trusts-an-idempotent-hint', { kind: 'wire', create: () => sendingAgain('idempotent') }),
  mutant('CALL-004', 'forgets-calls-in-flight', {
    kind: 'stage', create: () => withStages(onFailure('connection-lost', never)),
  }),
  mutant('CALL-005', 'says-nothing-was-executed', {
    kind: 'stage',
    create: () => withStages(onFailure('connection-lost', ({ message }) => Promise.reject(new BridgeError('connection-lost', message, { executed: 'no' })))),
  }),
  mutant('CALL-018', 'denies-each-failure', {
    kind: 'adapter',
    create: () => around((inner) => ({
      call: async (request) => {
        const reply = await inner.call(request);
        return reply.outcome === 'ok' ? reply : { ...reply, executed: 'no' };
      },
    })),
  }),
  mutant('CALL-018', 'makes-answers-up', {
    kind: 'adapter',
    create: () => around((inner) => ({
      call: async (request) => {
        const reply = await inner.call(request);
        return reply.executed === 'no' ? { outcome: 'ok', executed: 'yes', value: { content: [] }, view: [{ type: 'text', text: 'done' }] } : reply;
      },
    })),
  }),
  mutant('CALL-006', 'ignores-the-flag', { kind: 'stage', create: () => withStages(() => ({ isToolError: () => false })) }),
  mutant('CALL-006', 'keeps-the-first-line-only', {
    kind: 'stage',
    create: () => withStages(() => ({ projectError: (value, maxChars) => referenceStages.projectError(value, maxChars).split('\n')[0] ?? '' })),
  }),
  mutant('CALL-006', 'keeps-text-blocks-only', {
    kind: 'stage',
    create: () => withStages(() => ({
      projectError: (value, maxChars) => referenceStages.projectError({ ...value, content: value.content.filter((block) => isMessage(block) && block['type'] === 'text') }, maxChars),
    })),
  }),
  mutant('CALL-007', 'takes-any-truthy-flag', {
    kind: 'stage', create: () => withStages(() => ({ isToolError: ({ isError }) => Boolean(isError) })),
  }),
  mutant('CALL-008', 'hides-the-words-of-the-server', {
    kind: 'stage',
    create: () => withStages(onFailure('rpc-error', ({ executed = 'unknown' }) => Promise.reject(new BridgeError('rpc-error', 'the call failed', { executed })))),
  }),
  mutant('CALL-009', 'invents-structured-content', {
    kind: 'stage',
    create: () => withStages(() => ({ canonicalValue: (where, result) => ({ structuredContent: null, ...referenceStages.canonicalValue(where, result) }) })),
  }),
  mutant('CALL-009', 'keeps-texts-only', {
    kind: 'stage',
    create: () => withStages(() => ({
      canonicalValue(where, result) {
        const value = referenceStages.canonicalValue(where, result);
        return { ...value, content: value.content.filter((block) => typeof block === 'object' && block !== null && 'text' in block) };
      },
    })),
  }),
  mutant('CALL-010', 'cancels-in-silence', {
    kind: 'wire',
    create: () => onWire(() => ({ send: async (message, pass) => (message['method'] === 'notifications/cancelled' ? undefined : pass(message)) })),
  }),
  mutant('CALL-010', 'names-another-request', {
    kind: 'wire',
    create: () => onWire(() => ({
      send: (message, pass) => pass(message['method'] === 'notifications/cancelled' ? { ...message, params: { requestId: 0 } } : message),
    })),
  }),
  mutant('CALL-011', 'waits-for-the-server', {
    kind: 'stage',
    create: () => withStages(() => ({ callTool: (input, stages) => referenceStages.callTool({ ...input, signal: undefined }, stages) })),
  }),
  mutant('CALL-012', 'takes-a-timeout-for-an-abort', {
    kind: 'stage',
    create: () => withStages(onFailure('call-timeout', ({ message }) => Promise.reject(new BridgeError('call-aborted', message, { executed: 'unknown' })))),
  }),
  mutant('CALL-012', 'gives-up-early', {
    kind: 'stage',
    create: () => withStages(() => ({ callTool: (input, stages) => referenceStages.callTool({ ...input, timeoutMs: input.timeoutMs / 2 }, stages) })),
  }),
  mutant('CALL-040', 'times-out-in-silence', {
    kind: 'wire',
    create: () => onWire(() => ({
      send: async (message, pass) => (message['method'] === 'notifications/cancelled' && /timed out/.test(JSON.stringify(message)) ? undefined : pass(message)),
    })),
  }),
  mutant('CALL-013', 'validates-nothing', { kind: 'stage', create: () => withStages(() => ({ checkOutput: () => undefined })) }),
  ...renewalMutants,
  mutant('CALL-014', 'voids-the-list-for-one-schema', {
    kind: 'stage',
    create: () => withStages(() => ({
      async drainTools(serverName, session, limits) {
        const tools = await referenceStages.drainTools(serverName, session, limits);
        if (tools.some(refers)) throw new BridgeError('list-invalid', 'a schema cannot be compiled');
        return tools;
      },
    })),
  }),
  mutant('CALL-015', 'fails-calls-under-an-odd-schema', {
    kind: 'stage',
    create: () => withStages(() => ({
      checkOutput(input, value) {
        if (refers(input.slot.outputSchema)) throw new BridgeError('output-invalid', 'the schema of the tool cannot be compiled', { executed: 'yes' });
        referenceStages.checkOutput(input, value);
      },
    })),
  }),
  mutant('CALL-016', 'calls-tasks-plainly', { kind: 'stage', create: () => withStages(() => ({ refuseCall: () => undefined })) }),
  ...givenArgumentMutants,
  ...missingMutants,
  ...oddAnswerMutants,
];
