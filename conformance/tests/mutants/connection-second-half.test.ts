import { describe } from 'vitest';
import { connectionMutants } from '../../subjects/mutants/connection/index.ts';
import { halfOf, proveAll } from './prove.ts';

describe('mutants of connection, the second half', () => proveAll(halfOf(connectionMutants, 'second')));
