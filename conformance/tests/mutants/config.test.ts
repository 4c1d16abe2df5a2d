import { describe } from 'vitest';
import { configMutants } from '../../subjects/mutants/config/index.ts';
import { proveAll } from './prove.ts';

describe('mutants of config', () => proveAll(configMutants));
