/** A story walks through a plan's steps as the model does and tells at each what was seen. */
import type { OfferedTool, SubjectDescription } from '../../src/adapter/messages.ts';
import { barriers } from '../../src/checks/model/barriers.ts';
import { listed } from '../../src/checks/model/lists.ts';
import type { ModelPlan, ModelStep } from '../../src/checks/model/plan.ts';
import { rulesOf } from '../../src/checks/model/rules.ts';
import { SERVERS } from '../../src/checks/model/servers.ts';
import type { ModelList, ModelState } from '../../src/checks/model/state.ts';
import { walk, type WalkedStep } from '../../src/checks/model/walk.ts';
import { capableSubject, HistoryBuilder, type NamedHistory } from './builder.ts';

/** The servers of a plan. */
export const [SERVER, OTHER] = SERVERS;

/** What is told of one step, instead of what should be. */
export type Telling = (story: Story, step: WalkedStep) => void;

/** How a list looks in a registry whose names are numbers of the tools. */
export function shown(list: ModelList, server: string = SERVER): OfferedTool[] {
  return list.map((tool) => {
    const { name, description, inputSchema } = listed(tool, server);
    return { name: `${server}_${Buffer.from(name).toString('hex')}`, description, parameters: inputSchema };
  });
}

/** A history of one plan: healthy calls, then whatever is told. */
export class Story extends HistoryBuilder {
  readonly walked: readonly WalkedStep[];

  constructor(steps: readonly ModelStep[], subject: Partial<SubjectDescription> = {}) {
    const features = capableSubject.features.filter((feature) => feature !== 'reconnect');
    super({ features, ...subject });
    const plan: ModelPlan = { base: 100, size: 3, pageSize: 2, steps: [...steps] };
    this.walked = walk(plan, rulesOf({ ...capableSubject, features, ...subject }));
    this.run(plan);
    this.both(this.walked[0]?.parts.map(({ before }) => before) ?? []);
    this.barrier(barriers.start);
  }

  /** Tells the whole plan; `tellings` replace what is seen in the steps they name. */
  tell(name: string, tellings: Readonly<Record<number, Telling>> = {}): NamedHistory {
    for (const step of this.walked) {
      const telling = tellings[step.index];
      if (telling === undefined) this.asItShould(step);
      else telling(this, step);
      this.barrier(barriers.step(step.index));
    }
    return this.named(name);
  }

  /** What a good bridge shows of a step. */
  asItShould(step: WalkedStep): this {
    const { server } = step.before;
    if (step.step.do === 'notify' || step.step.do === 'hold') this.announced(server.name);
    if (step.step.do === 'call') this.healthy(step);
    return this.both(step.parts.map(({ after }) => after));
  }

  /** A call that ended with its own answer. */
  healthy({ after: { server: { name }, lists, due, phase } }: WalkedStep): this {
    const tool = lists[due]?.[0];
    if (tool === undefined) return this;
    if (phase === 'dead') return this.unreached('x', name, tool.raw);
    const callId = `healthy-${this.nextId()}`;
    return this.answered(callId, tool.raw, callId, [tool.raw], name);
  }

  /** A call that reached the server under this name; the model reads the answer of the call `answerOf`. */
  answered(callId: string, rawName: string, answerOf: string, wireNames: readonly string[] = [rawName], server: string = SERVER, reached = server): this {
    this.asked({ callId, name: 'x', arguments: { probe: callId } }, { server, rawName });
    for (const wireName of wireNames) this.wireCall(reached, wireName, { probe: callId });
    return this.outcome(callId, { view: [{ type: 'text', text: JSON.stringify({ tool: rawName, arguments: { probe: answerOf } }) }] });
  }

  /** The registry holds these tools of the first server, and these of the other. */
  list(list: ModelList, ofOther: ModelList = []): this {
    return this.registry([...shown(list), ...shown(ofOther, OTHER)]);
  }

  /** The registry holds of each server what is due. */
  both(states: readonly ModelState[]): this {
    return this.registry(states.flatMap(({ server, lists, due, phase }) => (phase === 'live' || phase === 'dead' ? shown(lists[due] ?? [], server.name) : [])));
  }

  /** What was there and is there of the server's processes. */
  processes(started: number[], alive: number[]): this {
    return this.event({ kind: 'processes', started, alive });
  }
}
