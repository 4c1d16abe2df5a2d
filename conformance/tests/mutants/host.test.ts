import { describe } from 'vitest';
import { hostMutants } from '../../subjects/mutants/host/index.ts';
import { proveAll } from './prove.ts';

describe('mutants of host', () => proveAll(hostMutants));
