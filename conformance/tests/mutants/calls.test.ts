import { describe } from 'vitest';
import { mutants } from '../../subjects/mutants/index.ts';
import { proveAll } from './prove.ts';

/** Areas with a file of their own; the model's mutants are proved beside it. */
const ELSEWHERE = ['NAMING', 'DISCOVERY', 'GENERATION'];
/** Numbers from here on are the model's. */
const MODEL_FROM = 50;

const others = mutants.filter(({ kills }) => {
  const [area = '', number = ''] = kills.split('-');
  return !ELSEWHERE.includes(area) && Number(number) < MODEL_FROM;
});

describe('mutants of wire, calls, results, connections and the rest', () => proveAll(others));
