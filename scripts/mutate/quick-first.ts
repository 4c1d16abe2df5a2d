/** The order in which the tests are asked about a change: the first that fails ends the asking. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What is known of a file of tests from its last run: whether it failed, and how long it took, in milliseconds. */
export interface LastRun {
  readonly failed: boolean;
  readonly duration: number;
}

/** Milliseconds that a file is taken for until it was run: some start hosts and servers, the others call a function. */
const UNKNOWN_MS = { servers: 10_000, functions: 100 };

const WITH_SERVERS = /\/bridge\/tests\/(?:dsh|drop-in|helpers-logic|host|http|images|matrix|reconnect|(?:plugin|client-session)[^/]*$)/;

/** Whatever noticed the change before this one, which was its neighbour; then the quickest. */
export function quickFirst<File extends { readonly moduleId: string }>(files: readonly File[], lastRunOf: (file: File) => LastRun | undefined): File[] {
  return files
    .map((file) => ({ file, ...(lastRunOf(file) ?? { failed: false, duration: WITH_SERVERS.test(file.moduleId) ? UNKNOWN_MS.servers : UNKNOWN_MS.functions }) }))
    .sort((a, b) => Number(b.failed) - Number(a.failed) || a.duration - b.duration)
    .map(({ file }) => file);
}

/** The same, by what vitest remembers. */
export class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return quickFirst(files, ({ moduleId, project }) => this.ctx.cache.getFileTestResults(`${project.name}:${relative(this.ctx.config.root, moduleId)}`));
  }
}
