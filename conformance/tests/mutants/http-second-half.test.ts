import { describe } from 'vitest';
import { httpMutants } from '../../subjects/mutants/http/index.ts';
import { halfOf, proveAll } from './prove.ts';

describe('mutants over HTTP, the second half', () => proveAll(halfOf(httpMutants, 'second')));
