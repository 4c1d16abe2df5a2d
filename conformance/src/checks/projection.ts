import type { Check } from './check.ts';
import { failuresCut, valueWhole } from './projection/bounded-elsewhere.ts';
import { everyBlockVisible, linksKept, oneTextBlock, textsInOrder, unknownNamed } from './projection/blocks-shown.ts';
import { lookedUpEachTime, onlyCapable } from './projection/images-admitted.ts';
import { ownGeneration, policyWins, programShown, programValue } from './projection/images-and-others.ts';
import { abortAtLookup, abortAtStore, failuresStoreNothing } from './projection/images-given-up.ts';
import { allOrNone, bounded, bytesAgree, fourTypes, storeRefuses, strictBase64 } from './projection/images-refused.ts';
import { imagesInPlace, oneStoreCall } from './projection/images-shown.ts';
import { imagesUnread } from './projection/images-unread.ts';
import { nothingToShow } from './projection/nothing.ts';
import { payloadsHidden, payloadsHiddenInContradictions, payloadsHiddenInFailures } from './projection/payloads.ts';
import { longTextWhole } from './projection/long-text.ts';
import { cutVisibly, wellFormed } from './projection/unicode.ts';

/** The checks of `projection`. */
export const projectionChecks: readonly Check[] = [
  textsInOrder, longTextWhole, oneTextBlock, linksKept, everyBlockVisible, unknownNamed, payloadsHidden, payloadsHiddenInFailures, payloadsHiddenInContradictions, nothingToShow,
  wellFormed, cutVisibly, failuresCut, valueWhole, imagesInPlace, oneStoreCall, strictBase64, bytesAgree, fourTypes, allOrNone, storeRefuses, onlyCapable, lookedUpEachTime,
  failuresStoreNothing, abortAtLookup, abortAtStore, policyWins, programValue, programShown, imagesUnread, ownGeneration, bounded,
];
