/** Defects over Streamable HTTP. */
import type { Mutant } from '../mutant.ts';
import { askingMutants } from './asking.ts';
import { webOversizeMutants } from './oversize.ts';
import { noAnswerMutants } from './no-answer.ts';
import { byteMutants } from './bytes.ts';
import { webOutageMutants } from './outages.ts';
import { httpRecoveryMutants } from './recovery.ts';
import { silenceMutants } from './silence.ts';
import { streamMutants } from './streams.ts';

/** The mutants of what holds over Streamable HTTP alone. */
export const httpMutants: readonly Mutant[] = [
  ...webOutageMutants,
  ...httpRecoveryMutants, ...silenceMutants, ...streamMutants, ...askingMutants, ...byteMutants, ...noAnswerMutants,
  ...webOversizeMutants,
];
