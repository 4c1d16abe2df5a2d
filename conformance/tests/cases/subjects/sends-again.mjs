// A bridge that sends a call again after its server came back: a defect to walk from certificate to case.
import { mutantById } from '../../../dist/subjects/mutants/index.js';

export const createAdapter = mutantById('CALL-003/sends-unanswered-calls-again').create();
