import { describe } from 'vitest';
import { discoveryMutants } from '../../subjects/mutants/discovery/index.ts';
import { proveAll } from './prove.ts';

describe('mutants of discovery', () => proveAll(discoveryMutants));
