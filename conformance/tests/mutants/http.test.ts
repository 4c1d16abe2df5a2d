import { describe } from 'vitest';
import { httpMutants } from '../../subjects/mutants/http/index.ts';
import { halfOf, proveAll } from './prove.ts';

describe('mutants over HTTP, the first half', () => proveAll(halfOf(httpMutants, 'first')));
