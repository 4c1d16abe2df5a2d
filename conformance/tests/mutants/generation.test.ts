import { describe } from 'vitest';
import { generationMutants } from '../../subjects/mutants/generation/index.ts';
import { proveAll } from './prove.ts';

describe('mutants of generation', () => proveAll(generationMutants));
