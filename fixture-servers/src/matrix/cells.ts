import type { Carrier } from '../scenario/carrier.ts';
import { SCENARIO_VERSION } from '../scenario/limits.ts';
import type { ScenarioInput } from '../scenario/schema.ts';
import { FAULTS } from './faults.ts';
import { CARRIERS, PAGE_SIZE, PHASES, type Phase } from './phases.ts';

/** One cell of phase × fault × carrier: the scenario that covers it, or why there is none. */
export type FaultCell = {
  /** `<phase>/<fault>/<carrier>`, words joined with hyphens. */
  readonly id: string;
  readonly phase: string;
  readonly fault: string;
  readonly carrier: Carrier;
} & ({ readonly scenario: ScenarioInput } | { readonly reason: string });

/** The id of the rule in each scenario: its record says that the fault fired. */
export const FAULT_RULE = 'fault';
const TOOLS = 3 * PAGE_SIZE;

/** All cells, phase by phase. */
export function faultCells(): FaultCell[] {
  return PHASES.flatMap((phase) => FAULTS.flatMap((fault) => CARRIERS.map((carrier): FaultCell => {
    const cover = fault.cover(phase, carrier);
    const what = { id: [phase.name, fault.name, carrier].map((word) => word.replaceAll(' ', '-')).join('/'), phase: phase.name, fault: fault.name, carrier };
    return 'reason' in cover ? { ...what, reason: cover.reason } : { ...what, scenario: scenarioOf(phase, cover.actions) };
  })));
}

function scenarioOf(phase: Phase, actions: readonly ScenarioRule['do'][number][]): ScenarioInput {
  return {
    scenario: SCENARIO_VERSION,
    tools: [{ generate: { count: TOOLS } }],
    pagination: { pageSize: PAGE_SIZE },
    rules: [{ id: FAULT_RULE, when: phase.when, do: [...actions] }],
  };
}

type ScenarioRule = NonNullable<ScenarioInput['rules']>[number];
