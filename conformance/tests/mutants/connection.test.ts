import { describe } from 'vitest';
import { connectionMutants } from '../../subjects/mutants/connection/index.ts';
import { halfOf, proveAll } from './prove.ts';

describe('mutants of connection, the first half', () => proveAll(halfOf(connectionMutants, 'first')));
