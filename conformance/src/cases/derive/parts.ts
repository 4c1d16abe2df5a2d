/** Parts of a history in the words of a case. */
import { action, scenario as scenarioSchema, type Action, type ScenarioInput } from 'mcp-fixture-server/scenario';
import { z } from 'zod';
import type { ServerSpec } from '../../adapter/messages.ts';

/** What was done cannot be said in a case; the message says why. */
export class NotDerivable extends Error {
  override readonly name = 'NotDerivable';
}

/** What the subject was told of a server, beside how to reach it. */
export function optionsOf(spec: ServerSpec): Readonly<Record<string, unknown>> {
  if (spec.transport !== 'stdio') return { ...spec.options, ...(spec.headers === undefined ? {} : { headers: spec.headers }) };
  return { ...spec.options, ...(spec.env === undefined ? {} : { env: spec.env }), ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }) };
}

/** As it was written, not with its defaults: shorter, and the same. @throws NotDerivable */
export function asScenario(given: unknown): ScenarioInput {
  if (isScenario(given)) return given;
  throw new NotDerivable('a script is none that a case can hold');
}

function isScenario(given: unknown): given is ScenarioInput {
  return scenarioSchema.safeParse(given).success;
}

/** @throws NotDerivable */
export function asActions(given: unknown): Action[] {
  const parsed = z.array(action).safeParse(given);
  if (!parsed.success) throw new NotDerivable('an order to a server is none that a case can hold');
  return parsed.data;
}
