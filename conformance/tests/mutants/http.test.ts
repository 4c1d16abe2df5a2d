import { describe } from 'vitest';
import { httpMutants } from '../../subjects/mutants/http/index.ts';
import { proveAll } from './prove.ts';

describe('mutants over HTTP', () => proveAll(httpMutants));
