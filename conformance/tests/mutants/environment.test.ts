import { describe } from 'vitest';
import { environmentMutants } from '../../subjects/mutants/environment/index.ts';
import { proveAll } from './prove.ts';

describe('mutants of environment', () => proveAll(environmentMutants));
