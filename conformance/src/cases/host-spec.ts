/** What a case says of the host and of entries, in the words of the adapter; and what a subject has to declare for it. */
import type { CaseFile, CaseHost, Step } from 'mcp-fixture-server/case';
import type { HostSpec, SubjectDescription } from '../adapter/messages.ts';
import type { EntryExtras } from '../bench/bench.ts';

/** The adapter's host. Images are left out for a subject that has none: what is left of the case is judged. */
export function hostSpecOf(host: CaseHost | undefined, subject: SubjectDescription): HostSpec | undefined {
  if (host === undefined) return undefined;
  const { nativeTools, foreignTools, attachmentStore, routes } = host;
  const images = subject.features.includes('images');
  const spec: HostSpec = {
    ...(nativeTools === undefined ? {} : { nativeTools }),
    ...(foreignTools === undefined ? {} : { foreignTools }),
    ...(images && attachmentStore !== 'none' ? { attachmentStore } : {}),
    ...(images && routes !== undefined ? { routes } : {}),
  };
  return Object.keys(spec).length === 0 ? undefined : spec;
}

/** Members of an entry that are not options. */
const OWN_MEMBERS: readonly string[] = ['env', 'cwd', 'headers'];

/** The entry of a server, from its `options` in the case. `reconnect` is left out where it is not honoured: it only hurries things. */
export function extrasOf(given: Readonly<Record<string, unknown>> | undefined, subject: SubjectDescription): EntryExtras {
  const { env, cwd, headers, ...rest } = given ?? {};
  const options = Object.fromEntries(
    Object.entries(rest).filter(([name]) => name !== 'reconnect' || subject.options.includes('reconnect')),
  );
  return {
    ...(isTextRecord(env) ? { env } : {}),
    ...(isTextRecord(headers) ? { headers } : {}),
    ...(typeof cwd === 'string' ? { cwd } : {}),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
}

function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');
}

/** Why the case cannot be run against this subject; `undefined` when it can. */
export function whyCaseNotApplicable(file: CaseFile, subject: SubjectDescription): string | undefined {
  const servers = Object.entries(file.servers);
  const transport = servers.find(([, { carrier }]) => !subject.transports.includes(carrier));
  if (transport !== undefined) return `the subject does not declare the transport ${transport[1].carrier}, by which "${transport[0]}" is reached`;
  const configured = [...servers.map(([, { options = {} }]) => options), ...file.steps.flatMap((step) => ('configure' in step ? [step.configure.options] : []))];
  const option = configured.flatMap((options) => Object.keys(options)).find(
    (name) => !OWN_MEMBERS.includes(name) && name !== 'reconnect' && !subject.options.includes(name),
  );
  if (option !== undefined) return `the subject does not honour the option ${option}`;
  const shared = file.host?.nativeTools ?? file.host?.foreignTools;
  if (shared !== undefined && !subject.features.includes('shared-registry')) return 'the subject does not declare the feature shared-registry, and the case has tools of others';
  for (const step of file.steps) {
    const feature = featureOf(step);
    if (feature !== undefined && !subject.features.includes(feature)) return `the subject does not declare the feature ${feature}, which a step needs`;
  }
  return undefined;
}

function featureOf(step: Step): SubjectDescription['features'][number] | undefined {
  if ('abort' in step) return 'abort';
  if ('reload' in step) return 'reload';
  if ('host' in step) return 'images';
  if ('call' in step && step.call.via === 'program') return 'programs';
  if ('call' in step && step.call.policy !== undefined) return 'policies';
  return undefined;
}
