import { describe } from 'vitest';
import { namingMutants } from '../../subjects/mutants/naming/index.ts';
import { proveAll } from './prove.ts';

describe('mutants of naming', () => proveAll(namingMutants));
