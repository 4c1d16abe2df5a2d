import type { Check } from './check.ts';
import { everyBlockVisible, linksKept, oneTextBlock, textsInOrder, unknownNamed } from './projection/blocks-shown.ts';
import { nothingToShow } from './projection/nothing.ts';
import { payloadsHidden, payloadsHiddenInFailures } from './projection/payloads.ts';
import { cutVisibly, wellFormed } from './projection/unicode.ts';

/** The checks of `projection`. */
export const projectionChecks: readonly Check[] = [
  textsInOrder, oneTextBlock, linksKept, everyBlockVisible, unknownNamed, payloadsHidden, payloadsHiddenInFailures, nothingToShow,
  wellFormed, cutVisibly,
];
