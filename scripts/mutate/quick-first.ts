/** The order in which the tests are asked about a change: the first that fails ends the asking. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Milliseconds that a file is taken for until it was run: some start hosts and servers, the others call a function. */
const UNKNOWN_MS = { servers: 10_000, functions: 100 };

const WITH_SERVERS = /\/bridge\/tests\/(?:dsh|drop-in|helpers-logic|host|http|images|matrix|reconnect|(?:plugin|client-session)[^/]*$)/;

/** Whatever noticed the change before this one, which was its neighbour; then the quickest. */
export class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.map((file) => ({ file, ...this.#known(file) })).sort((a, b) => Number(b.failed) - Number(a.failed) || a.duration - b.duration).map(({ file }) => file);
  }

  #known({ moduleId, project }: TestSpecification): { failed: boolean; duration: number } {
    const unknown = { failed: false, duration: WITH_SERVERS.test(moduleId) ? UNKNOWN_MS.servers : UNKNOWN_MS.functions };
    return this.ctx.cache.getFileTestResults(`${project.name}:${relative(this.ctx.config.root, moduleId)}`) ?? unknown;
  }
}
