import { describe } from 'vitest';
import { wireMutants } from '../../subjects/mutants/wire/index.ts';
import { proveAll } from './prove.ts';

describe('mutants of wire', () => proveAll(wireMutants));
