import { describe, expect, it } from 'vitest';
import { checkById } from '../../src/checks/index.ts';
import { modelHistories } from '../histories/model.ts';

describe.each(modelHistories.map((one) => [one.check, one] as const))('the judge of %s', (id, { mustFail, mustPass, mustDoubt = [] }) => {
  const cases = [
    ...mustFail.map((one) => ['fail', one] as const),
    ...mustPass.map((one) => ['pass', one] as const),
    ...mustDoubt.map((one) => ['inconclusive', one] as const),
  ];
  it.each(cases.map(([verdict, { name, history }]) => [verdict, name, history] as const))('says %s when %s', (verdict, _name, history) => {
    const judgement = checkById(id).judge(history);
    expect(judgement.verdict, judgement.message).toBe(verdict);
  });
});
