import { beforeEach, describe, expect, it } from 'vitest';
import type { CallingAgent } from '../src/host-services.ts';
import { admitImages, type Admission, type AdmissionInput } from '../src/image-admission.ts';
import { agentOn, FakeServices } from './images/fake-services.ts';

async function reasonOf(admission: Promise<Admission>): Promise<string> {
  const settled = await admission;
  return settled.kind === 'refused' ? settled.reason : 'admitted';
}

describe('admitImages', () => {
  let services: FakeServices;
  beforeEach(() => {
    services = new FakeServices();
  });

  const admit = (more: Partial<AdmissionInput> = {}): Promise<Admission> =>
    admitImages({ services, agent: agentOn('p', 'm'), imageLookupTimeoutMs: 5_000, signal: new AbortController().signal, ...more });

  it('admits when a store is mounted and the route declares images, and gives that store (S44)', async () => {
    const admission = await admit();
    expect(admission).toEqual({ kind: 'admitted', store: services.get('attachments') });
    expect(services.asked.map(({ route }) => route)).toEqual(['p/m']);
  });

  it('refuses without a store and asks no route then (S44)', async () => {
    services.hasStore = false;
    expect(await reasonOf(admit())).toBe('no attachment store is mounted');
    expect(services.asked).toEqual([]);
  });

  it.each<[string, CallingAgent | undefined, string]>([
    ['no agent', undefined, 'the call is made for no agent, so no model is known'],
    ['an agent without session and options', {}, 'the model of the calling agent is not known'],
    ['an agent that made no request yet', { session: { requestHeader: () => undefined } }, 'the model of the calling agent is not known'],
    ['a session without request headers', { session: {} }, 'the model of the calling agent is not known'],
    ['a provider without a model', { options: { provider: 'p' } }, 'the model of the calling agent is not known'],
    ['a model without a provider', { options: { model: 'm' } }, 'the model of the calling agent is not known'],
    ['an agent that cannot be read', { session: { requestHeader: () => { throw new Error('gone'); } } }, 'the model of the calling agent is not known'],
  ])('refuses for %s (S44)', async (_what, agent, reason) => {
    expect(await reasonOf(admit({ agent }))).toBe(reason);
    expect(services.asked).toEqual([]);
  });

  it.each<[string, CallingAgent, string]>([
    ['of the latest request, before the options', { ...agentOn('new', 'one'), options: { provider: 'old', model: 'two' } }, 'new/one'],
    ['of the options, when no request was made yet', { session: { requestHeader: () => undefined }, options: { provider: 'old', model: 'two' } }, 'old/two'],
    ['of the options, when there is no session', { options: { provider: 'old', model: 'two' } }, 'old/two'],
    ['of the options, when the session has no request headers', { session: {}, options: { provider: 'old', model: 'two' } }, 'old/two'],
    ['of both, each part where it is said', { session: { requestHeader: () => ({ config: { model: 'one' } }) }, options: { provider: 'old', model: 'two' } }, 'old/one'],
  ])('asks for the route %s (S44)', async (_what, agent, route) => {
    await admit({ agent });
    expect(services.asked.map((one) => one.route)).toEqual([route]);
  });

  it('refuses without model routes (S44)', async () => {
    services.hasRoutes = false;
    expect(await reasonOf(admit())).toBe('no model routes are mounted');
  });

  it.each([[{}], [{ inputModalities: [] }], [{ inputModalities: ['text', 'images'] }], [{ inputModalities: 'image' }], [undefined], [null]])('refuses when the route is said to be %j (S44)', async (info) => {
    services.resolve = () => info;
    expect(await reasonOf(admit())).toBe('the model does not declare image input');
  });

  it('refuses when the lookup fails, and keeps why for the log (S44)', async () => {
    const fault = new Error('no such route');
    services.resolve = () => Promise.reject(fault);
    expect(await admit()).toEqual({ kind: 'refused', reason: 'the model could not be looked up', fault });
  });

  it('refuses when the lookup takes too long, and aborts it (B05)', async () => {
    services.resolve = () => new Promise(() => undefined);
    expect(await admit({ imageLookupTimeoutMs: 1 })).toMatchObject({ reason: 'the model could not be looked up in time', fault: 'no answer within the 1 ms of imageLookupTimeoutMs' });
    expect(services.asked[0]?.signal?.aborted).toBe(true);
  });

  it('ends with the caller\'s abort, which reaches the lookup (S38)', async () => {
    const caller = new AbortController();
    services.resolve = () => {
      caller.abort();
      return new Promise(() => undefined);
    };
    expect(await reasonOf(admit({ signal: caller.signal }))).toBe('the call was aborted');
    expect(services.asked[0]?.signal?.aborted).toBe(true);
  });

  it('looks for the store again when the lookup has ended: the host may have changed (S10)', async () => {
    services.resolve = () => {
      services.hasStore = false;
      return { inputModalities: ['image'] };
    };
    expect(await reasonOf(admit())).toBe('no attachment store is mounted');
  });

  it('takes a context that has ended, and services of another shape, for none', async () => {
    expect(await reasonOf(admit({ services: { get: () => { throw new Error('inactive'); } } }))).toBe('no attachment store is mounted');
    expect(await reasonOf(admit({ services: { get: () => ({}) } }))).toBe('no attachment store is mounted');
    expect(await reasonOf(admit({ services: { get: (name) => (name === 'llm' ? {} : { saveImages: async () => [] }) } }))).toBe('no model routes are mounted');
  });
});
