import { expect, it } from 'vitest';
import { parseDriverCommand } from '../../src/adapter/driver-command.ts';

it.each<[string, string, readonly string[]]>([
  ['python3 driver.py', 'python3', ['driver.py']],
  [String.raw`"/a b/run" 'x y' z\ w`, '/a b/run', ['x y', 'z w']],
  [`node "it's" 'a"b'`, 'node', ["it's", 'a"b']],
  ['node driver.mjs --glob *.js $HOME', 'node', ['driver.mjs', '--glob', '*.js', '$HOME']],
])('%s is cut into words, and nothing is looked up', (text, command, args) => {
  expect(parseDriverCommand(text)).toEqual({ command, args });
});

it.each<[string, RegExp]>([
  ['', /the command of the driver is empty/],
  ['  ', /the command of the driver is empty/],
  ['a | b', /asks a shell for "\|", and no shell is used; put it in quotes/],
  ['a && b', /asks a shell for "&&"/],
  ['a > log', /asks a shell for ">"/],
  ['a # b', /asks a shell for "#"/],
  ['python3 "own/driver.py', /opens " and does not close it; close it/],
  ["python3 it's", /opens ' and does not close it/],
  ['python3 "a" "b', /opens "/],
  ['python3 driver.py\\', /opens what its last backslash begins/],
])('%j is refused, with what to do', (text, told) => {
  expect(() => parseDriverCommand(text)).toThrow(expect.objectContaining({ code: 'misuse', message: expect.stringMatching(told) }));
});
