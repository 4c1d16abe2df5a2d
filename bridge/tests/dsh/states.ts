/** What an app told of its servers. */
import type { JsonObject } from '../../src/host-services.ts';
import { isJsonObject } from '../../src/json-shape.ts';
import type { AppLine } from './app.ts';

/** Whether a line tells that a server came into a state. */
export function isState(serverName: string, state: string): (line: AppLine) => boolean {
  return (line) => line['event'] === 'state' && isJsonObject(line['state']) && line['state']['serverName'] === serverName && line['state']['state'] === state;
}

/** The states that servers came into, without repetitions. */
export function states(lines: readonly AppLine[]): readonly string[] {
  const all = lines.flatMap(({ event, state }) => (event === 'state' && isJsonObject(state) ? [`${textIn(state, 'serverName')} ${textIn(state, 'state')}`] : []));
  return all.filter((each, index) => !all.slice(0, index).includes(each));
}

/** A member that is text. */
export function textIn(object: JsonObject, key: string): string {
  const text = object[key];
  return typeof text === 'string' ? text : '?';
}
