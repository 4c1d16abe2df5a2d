import { describe } from 'vitest';
import { projectionMutants } from '../../subjects/mutants/projection/index.ts';
import { proveAll } from './prove.ts';

describe('mutants of projection', () => proveAll(projectionMutants));
