import { describe } from 'vitest';
import { resilienceMutants } from '../../subjects/mutants/resilience/index.ts';
import { proveAll } from './prove.ts';

describe('mutants of resilience', () => proveAll(resilienceMutants));
