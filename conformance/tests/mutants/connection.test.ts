import { describe } from 'vitest';
import { connectionMutants } from '../../subjects/mutants/connection/index.ts';
import { proveAll } from './prove.ts';

describe('mutants of connection', () => proveAll(connectionMutants));
