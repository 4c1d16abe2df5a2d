import { describe } from 'vitest';
import { isolationMutants } from '../../subjects/mutants/isolation/index.ts';
import { proveAll } from './prove.ts';

describe('mutants of isolation', () => proveAll(isolationMutants));
