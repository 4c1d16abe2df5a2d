import { describe, expect, it } from 'vitest';
import { step } from '../../src/engine/engine.ts';
import type { EngineEvent } from '../../src/engine/events.ts';
import { initialState, type EngineState } from '../../src/engine/state.ts';
import { checkFor } from '../../src/control/fixture-server.ts';
import { FAULT_RULE, faultCells, type FaultCell } from '../../src/matrix/cells.ts';
import { FAULTS } from '../../src/matrix/faults.ts';
import { CARRIERS, IDLE_SIGNAL, PAGE_SIZE, PHASES } from '../../src/matrix/phases.ts';
import { faultTable } from '../../src/matrix/table.ts';

const cells = faultCells();
const covered = cells.filter((cell): cell is Extract<FaultCell, { scenario: unknown }> => 'scenario' in cell);

const message = (exchange: number, method: string, params: object = {}): EngineEvent => ({
  type: 'message', exchange, parsed: { ok: true, value: { jsonrpc: '2.0', ...(method.startsWith('notifications/') ? {} : { id: exchange }), method, params } },
});

/** What happens in each phase of a connection, in order. */
const LIFE: readonly (readonly [phase: string, event: EngineEvent])[] = [
  ['initialize', message(1, 'initialize')],
  ['notification', message(2, 'notifications/initialized')],
  ['listing page 1', message(3, 'tools/list')],
  ['listing page 2', message(4, 'tools/list', { cursor: `offset:${PAGE_SIZE}` })],
  ['listing after a change', message(7, 'tools/list', { cursor: `offset:${PAGE_SIZE}` })],
  ['idle', { type: 'signal', name: IDLE_SIGNAL }],
  ['call in flight', message(5, 'tools/call', { name: 'tool_0' })],
  ['shutdown', { type: 'input-end', exchange: 6 }],
];

/** In which phase the fault of a cell fires, in a life that takes no notice of it. */
function firesIn({ carrier, scenario }: (typeof covered)[number]): string[] {
  const script = checkFor(scenario, carrier, 'cell');
  const hear = (state: EngineState, event: EngineEvent): boolean => {
    let fired = false;
    for (const effect of step(state, event).effects) {
      if (effect.type === 'claim') fired = hear(state, { type: 'claimed', incarnation: 1 }) || fired;
      else if (effect.type === 'record' && effect.record.kind === 'fault') fired ||= effect.record.rule === FAULT_RULE;
    }
    return fired;
  };
  const process_ = initialState(script);
  const found = hear(process_, { type: 'spawn', sessions: carrier === 'streamable-http' }) ? ['spawn'] : [];
  let state = process_;
  if (carrier === 'streamable-http') {
    state = initialState(script);
    hear(state, { type: 'session', incarnation: 0 });
  }
  for (const [phase, event] of LIFE) if (hear(state, event)) found.push(phase);
  return found;
}

describe('phase × fault × carrier', () => {
  it('has one cell each', () => {
    expect(cells).toHaveLength(PHASES.length * FAULTS.length * CARRIERS.length);
    expect(new Set(cells.map(({ id }) => id)).size).toBe(cells.length);
  });

  it.each(covered)('$id fires in its phase alone', (cell) => {
    expect(firesIn(cell)).toEqual([cell.phase]);
  });

  it('leaves no cell without a scenario or a reason that the table tells', () => {
    const table = faultTable(cells);
    const rows = table.split('\n').filter((line) => /^\| .* \| (stdio|streamable-http) \|/.test(line));
    expect(rows).toHaveLength(FAULTS.length * CARRIERS.length);
    expect(rows.join('\n').match(/ (yes|\(\d+\)) (?=\|)/g)).toHaveLength(cells.length);
    for (const cell of cells) if ('reason' in cell) expect(table).toContain(`) ${cell.reason}\n`);
  });
});
