/**
 * What a bridge owes the host around it.
 */
import type { Check } from './check.ts';
import { activationChecks } from './host/activation.ts';
import { reloadChecks } from './host/reload.ts';

/** The checks of `host`. */
export const hostChecks: readonly Check[] = [...activationChecks, ...reloadChecks];
