// The mutant of the suite that the environment names.
import { mutantById } from '../../../dist/subjects/mutants/index.js';

export const createAdapter = mutantById(process.env.MUTANT).create();
