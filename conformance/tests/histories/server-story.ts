/** What every story about one server is told with, whatever carries the messages. */
import type { OfferedTool, SubjectDescription } from '../../src/adapter/messages.ts';
import { history, offered, type HistoryBuilder } from './builder.ts';

/** A story about one server, whose one tool is `steady`. */
export class ServerStory {
  readonly builder: HistoryBuilder;
  protected readonly server: string;

  constructor(server: string, subject: Partial<SubjectDescription> = {}) {
    this.server = server;
    this.builder = history(subject);
  }

  /** Anything the builder can tell. */
  with(tell: (builder: HistoryBuilder) => unknown): this {
    tell(this.builder);
    return this;
  }

  wait(ms: number): this {
    this.builder.wait(ms);
    return this;
  }

  registry(tools: readonly OfferedTool[] = [offered('p_steady')], cause: 'told' | 'looked' = 'looked'): this {
    return this.with((builder) => builder.registry(tools, cause));
  }

  barrier(what: string, reached = true): this {
    return this.with((builder) => builder.barrier(what, reached));
  }

  named(name: string): ReturnType<HistoryBuilder['named']> {
    return this.builder.named(name);
  }
}
