/**
 * What a subject was held to: the catalogue, named so that two certificates can be compared.
 */
import { createHash } from 'node:crypto';
import type { Invariant } from '../catalogue/invariant.ts';

/** The set of requirements, as a certificate names it. */
export interface RequirementSet {
  /** The requirements that the catalogue cites; another set gets another name. */
  readonly name: string;
  /** Revision of the Model Context Protocol. */
  readonly protocol: string;
  /** How many invariants the set has. */
  readonly invariants: number;
  /** Changes with every change of what is demanded: twelve hexadecimal digits. */
  readonly fingerprint: string;
}

/** The name of this set. */
const NAME = 'mcp-bridge-1';
/** The revision that the catalogue's sections are of. */
const PROTOCOL = '2025-11-25';
/** Enough that two sets do not meet by chance. */
const DIGITS = 12;

/** Names a catalogue. */
export function requirementSetOf(invariants: readonly Invariant[]): RequirementSet {
  const demands = invariants.map(({ id, statement, level, strength, features = [], transports = [] }) => [id, statement, level, strength, features, transports]);
  const fingerprint = createHash('sha256').update(JSON.stringify(demands)).digest('hex').slice(0, DIGITS);
  return { name: NAME, protocol: PROTOCOL, invariants: invariants.length, fingerprint };
}

/** The set on one line. */
export function requirementSetText({ name, protocol, invariants, fingerprint }: RequirementSet): string {
  return `${name} (${invariants} invariants, MCP ${protocol}, ${fingerprint})`;
}
