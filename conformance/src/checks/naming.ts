import type { Check } from './check.ts';
import { legalityChecks } from './naming/legality.ts';
import { roundTripChecks } from './naming/round-trip.ts';
import { schemeChecks } from './naming/scheme.ts';
import { stabilityChecks } from './naming/stability.ts';
import { uniquenessChecks } from './naming/uniqueness.ts';
import { judgedWhileOpen } from './while-open.ts';

/** The checks of `naming`. */
export const namingChecks: readonly Check[] = [
  ...legalityChecks,
  ...uniquenessChecks,
  ...schemeChecks,
  ...stabilityChecks,
  ...roundTripChecks,
].map(judgedWhileOpen);
