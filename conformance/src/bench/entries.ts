/**
 * The entries that the subject is given: how they come, go and come again.
 */
import type { BridgeAdapter, HostSpec, OpenReply, ServerReply, ServerSpec, SubjectDescription } from '../adapter/bridge-adapter.ts';
import type { Asking } from './asking.ts';
import { SLACK_MS } from './bounds.ts';
import { NotApplicable } from './endings.ts';

/** What {@link Entries} are made of. */
export interface EntriesOptions {
  readonly adapter: BridgeAdapter;
  readonly subject: SubjectDescription;
  readonly asking: Asking;
  /** Called when the subject has closed, and awaited. */
  readonly onClosed: () => Promise<void>;
}

/** See the module's comment. What the subject does not declare is `NotApplicable`. */
export class Entries {
  readonly #options: EntriesOptions;
  readonly #known = new Map<string, ServerSpec>();
  #open = false;
  /** What the last `open` was given, for subjects that see a change only then. */
  #opened: { readonly servers: readonly ServerSpec[]; readonly host: HostSpec | undefined } | undefined;

  constructor(options: EntriesOptions) {
    this.#options = options;
  }

  /** What the last `open` was given. */
  get opened(): { readonly servers: readonly ServerSpec[]; readonly host: HostSpec | undefined } | undefined {
    return this.#opened;
  }

  /** Starts the subject with these; closes it first where it is open. */
  async open(servers: readonly ServerSpec[], host?: HostSpec): Promise<OpenReply> {
    const { adapter, subject, asking } = this.#options;
    if (servers.length > 1 && subject.servers === 'one') throw new NotApplicable('the subject takes one server only');
    if (this.#open) await this.close();
    for (const spec of servers) this.#known.set(spec.name, spec);
    this.#open = true;
    this.#opened = { servers, host };
    const request = { servers: [...servers], ...(host === undefined ? {} : { host }) };
    return asking.step({
      step: 'open', servers: request.servers, host, run: () => adapter.open(request), settled: (reply) => reply.servers,
    });
  }

  add(spec: ServerSpec): Promise<ServerReply> {
    const { adapter, asking } = this.#options;
    this.#needDynamic('add');
    this.#known.set(spec.name, spec);
    return asking.step({ step: 'add', servers: [spec], run: () => adapter.add(spec), settled: (reply) => [reply] });
  }

  remove(name: string): Promise<void> {
    const { adapter, asking } = this.#options;
    this.#needDynamic('remove');
    return asking.step({ step: 'remove', servers: this.#named(name), run: () => adapter.remove(name), settled: () => [] });
  }

  reload(name: string): Promise<ServerReply> {
    const { adapter, subject, asking } = this.#options;
    if (!subject.features.includes('reload')) throw new NotApplicable('the subject does not declare the feature reload');
    return asking.step({ step: 'reload', servers: this.#named(name), run: () => adapter.reload(name), settled: (reply) => [reply] });
  }

  /** Closes the subject; nothing where it is not open. */
  async close(): Promise<void> {
    const { adapter, subject, asking, onClosed } = this.#options;
    if (!this.#open) return;
    this.#open = false;
    await asking.step({
      step: 'close', servers: [], boundMs: subject.bounds.closeMs + SLACK_MS, run: () => adapter.close(), settled: () => [],
    });
    await onClosed();
  }

  #needDynamic(method: string): void {
    const { servers } = this.#options.subject;
    if (servers !== 'dynamic') throw new NotApplicable(`the subject's servers are ${servers}: it has no ${method}`);
  }

  #named(name: string): ServerSpec[] {
    const spec = this.#known.get(name);
    return spec === undefined ? [] : [spec];
  }
}
