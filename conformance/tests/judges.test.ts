/** Every judge, on hand-written histories: what it must refuse, what it must let pass, what it must not decide. */
import { describe, expect, it } from 'vitest';
import { checkById, checks } from '../src/checks/index.ts';
import { historyEvent } from '../src/history/schema.ts';
import type { JudgeHistories, NamedHistory } from './histories/builder.ts';
import { judgeHistories } from './histories/index.ts';

function named(histories: readonly NamedHistory[]): (readonly [string, NamedHistory])[] {
  return histories.map((one) => [one.name, one] as const);
}

describe.each(judgeHistories.map((one): [string, JudgeHistories] => [one.check, one]))('the judge of %s', (id, { mustFail, mustPass, mustDoubt = [], mustSkip = [] }) => {
  const check = checkById(id);

  it.each(named(mustFail))('fails: %s', (_name, { history }) => {
    expect(check.judge(history)).toMatchObject({ verdict: 'fail' });
  });

  it.each(named(mustPass))('passes: %s', (_name, { history }) => {
    expect(check.judge(history)).toMatchObject({ verdict: 'pass' });
  });

  if (mustDoubt.length > 0) {
    it.each(named(mustDoubt))('cannot tell: %s', (_name, { history }) => {
      expect(check.judge(history)).toMatchObject({ verdict: 'inconclusive' });
    });
  }

  if (mustSkip.length > 0) {
    it.each(named(mustSkip))('does not apply: %s', (_name, { history }) => {
      expect(check.judge(history)).toMatchObject({ verdict: 'not-applicable' });
    });
  }

  it('says the same of a history that was saved and read back', () => {
    for (const { history } of [...mustFail, ...mustPass, ...mustDoubt, ...mustSkip]) {
      const again = historyEvent.array().parse(JSON.parse(JSON.stringify(history)));
      expect(check.judge(again)).toEqual(check.judge(history));
    }
  });

  it('cannot tell anything from an empty history', () => {
    expect(['inconclusive', 'not-applicable']).toContain(check.judge([]).verdict);
  });
});

describe('hand-written histories', () => {
  it('exist for every check, both ways', () => {
    const covered = judgeHistories.filter(({ mustFail, mustPass }) => mustFail.length > 0 && mustPass.length > 0).map(({ check }) => check);
    expect(checks.map(({ id }) => id).filter((id) => !covered.includes(id))).toEqual([]);
  });

  it('are told of each check once', () => {
    const ids = judgeHistories.map(({ check }) => check);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });
});
