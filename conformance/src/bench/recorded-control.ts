/** A fixture whose orders are on record: what the suite does to a server is part of what happened. */
import type { FixtureServer, ScriptedServer } from 'mcp-fixture-server/control';
import type { Recorder } from '../history/recorder.ts';

/**
 * The same fixture; `do`, `release` and `signal` note what they are told before they tell it. A server over HTTP is started
 * by the suite, so its `command` is empty.
 */
export function recordedControl(fixture: ScriptedServer, recorder: Recorder): FixtureServer {
  const server = fixture.name;
  // A view of the fixture, whose records and processes grow.
  const recorded: FixtureServer = Object.create(fixture, {
    ...('command' in fixture ? {} : { command: { value: '' }, args: { value: [] } }),
    do: {
      value: (actions: Parameters<FixtureServer['do']>[0]) => {
        recorder.note({ kind: 'control', server, do: [...actions] });
        return fixture.do(actions);
      },
    },
    release: {
      value: (release: string) => {
        recorder.note({ kind: 'control', server, release });
        return fixture.release(release);
      },
    },
    signal: {
      value: (signal: string) => {
        recorder.note({ kind: 'control', server, signal });
        return fixture.signal(signal);
      },
    },
  });
  return recorded;
}
