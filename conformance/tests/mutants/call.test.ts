import { describe } from 'vitest';
import { callMutants } from '../../subjects/mutants/call/index.ts';
import { proveAll } from './prove.ts';

describe('mutants of call', () => proveAll(callMutants));
