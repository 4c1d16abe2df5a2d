import type { Graces } from './sweep.ts';

/**
 * What a driver is promised (README, "The driver protocol"): after the end of its input SIGTERM, and after that a kill. The
 * same times as in `DRIVER_BOUNDS`, which take longer to load.
 */
export const END_GRACES: Graces = { endMs: 8_000, termMs: 2_000 };
