import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildChildEnv } from '../src/child-env.ts';

describe('buildChildEnv', () => {
  it('drops names that contain a secret word, in any case and at any place', () => {
    const ambient = {
      API_KEY: '1', keyboard: '2', Db_Password_File: '3', SECRETS: '4', myToken: '5', TOKENIZER: '6', // all dropped
      PATH: '/bin', HOME: '/root', KE_Y: '7',
    };
    expect({ ...buildChildEnv(ambient) }).toEqual({ PATH: '/bin', HOME: '/root', KE_Y: '7' });
  });

  it('drops names that begin with DSH_ and keeps those that hold it elsewhere', () => {
    expect({ ...buildChildEnv({ DSH_: '1', DSH_HOME: '2', MY_DSH_HOME: '3', dsh_home: '4', DSHELL: '5' }) }).toEqual({
      MY_DSH_HOME: '3',
      dsh_home: '4',
      DSHELL: '5',
    });
  });

  it('puts the configured variables on top and never scrubs them', () => {
    expect({ ...buildChildEnv({ PATH: '/bin', LANG: 'C' }, { PATH: '/opt', API_KEY: 'k', DSH_X: 'd' }) }).toEqual({
      PATH: '/opt',
      LANG: 'C',
      API_KEY: 'k',
      DSH_X: 'd',
    });
  });

  it('treats names as data', () => {
    const configured: Record<string, string> = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}');
    const env = buildChildEnv({}, configured);
    expect(Object.getPrototypeOf(env)).toBeNull();
    expect(Object.entries(env)).toEqual([['__proto__', 'a'], ['constructor', 'b'], ['toString', 'c']]);
  });

  it('drops variables without a value, keeps empty ones, and leaves its inputs alone', () => {
    const ambient = Object.freeze({ GONE: undefined, EMPTY: '' });
    expect(Object.entries(buildChildEnv(ambient, Object.freeze({ OWN: '' })))).toEqual([['EMPTY', ''], ['OWN', '']]);
  });

  it('inherits exactly the names that are not scrubbed, whatever they are', () => {
    const word = fc.constantFrom('KEY', 'Password', 'secret', 'ToKeN', 'DSH_', 'dsh_', 'PATH', '_', 'é', '');
    const name = fc.tuple(word, fc.string({ maxLength: 4 }), word).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), (ambient) => {
        const expected = Object.keys(ambient).filter((key) => {
          const upper = key.toUpperCase();
          return !['KEY', 'PASSWORD', 'SECRET', 'TOKEN'].some((part) => upper.includes(part)) && !key.startsWith('DSH_');
        });
        expect(Object.keys(buildChildEnv(ambient)).sort()).toEqual(expected.sort());
      }),
    );
  });
});
