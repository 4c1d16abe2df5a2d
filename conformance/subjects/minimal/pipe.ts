/** Messages as lines of a process. */
import { hear, textOf, type Carrier, type Hearing } from './carrier.ts';
import { startChild, type Child, type StdioSpec } from './child.ts';
import { messageOf, type JsonObject } from './json.ts';
import { Lines } from './lines.ts';

/** See the module's comment. */
export class Pipe implements Carrier {
  readonly gone: Promise<string>;
  readonly #child: Child;
  readonly #lines = new Lines();
  readonly #hearing: Hearing;
  #broken: string | undefined;

  constructor(spec: StdioSpec, hearing: Hearing) {
    this.#hearing = hearing;
    this.#child = startChild(spec, (chunk) => this.#read(chunk));
    this.gone = this.#child.gone.then((reason) => this.#broken ?? reason);
  }

  async send(message: JsonObject): Promise<void> {
    this.#child.write(`${textOf(message)}\n`);
  }

  agreed(): void {
    // A line says the same in every revision.
  }

  forget(): void {
    // There is nothing that belongs to one request alone.
  }

  async end(): Promise<void> {
    await this.#child.end();
    await this.gone;
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) hear(line, this.#hearing);
    } catch (error) {
      // What follows cannot be told apart into messages any more.
      this.#broken = messageOf(error);
      this.#child.kill();
    }
  }
}
