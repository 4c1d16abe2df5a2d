/** Checks of bounds and of cost. */
import type { Check } from '../check.ts';
import { bottomless } from './bottomless.ts';
import { constantCost } from './constant-cost.ts';
import { crumbs } from './crumbs.ts';
import { flood } from './flood.ts';
import { listSize } from './list-size.ts';

/** Every check of them. */
export const resilienceChecks: readonly Check[] = [flood, constantCost, listSize, bottomless, crumbs];
