/** What the independent bridge promises beside its certificate. */
import { describe, expect, it } from 'vitest';
import { MAX_NAME_LENGTH, NAME_PATTERN, publicName } from '../../subjects/minimal/naming.ts';
import { Lines, MAX_LINE_BYTES } from '../../subjects/minimal/lines.ts';
import { textOfResult } from '../../subjects/minimal/projection.ts';
import { misfit } from '../../subjects/minimal/schema.ts';
import { readEvents } from '../../subjects/minimal/web-body.ts';

describe('names of the minimal bridge', () => {
  const identities = [
    ['web', 'search'], ['web', 'search.all'], ['web', 'search-all'], ['web', ''], ['', 'search'], ['a', 'b.c'], ['a.b', 'c'], ['__proto__', 'constructor'],
    ['web', 'x'.repeat(200)], ['web', `${'x'.repeat(200)}y`], ['w'.repeat(80), 's'], ['web', '\ud800'], ['web', '\ud801'], ['web', '工具'],
  ] as const;

  it('are as it declares, whatever a server calls its tools', () => {
    for (const [server, rawName] of identities) {
      const name = publicName(server, rawName);
      expect(name).toMatch(new RegExp(`^(?:${NAME_PATTERN})$`));
      expect(name.length).toBeLessThanOrEqual(MAX_NAME_LENGTH);
    }
  });

  it('stand for one identity each', () => {
    expect(new Set(identities.map(([server, rawName]) => publicName(server, rawName))).size).toBe(identities.length);
  });
});

describe('lines of the minimal bridge', () => {
  it('are the same however their bytes are cut, and end at a line feed alone', () => {
    const bytes = Buffer.from('{"a":"é\u2028"}\r\n\n工具\nrest');
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const lines = new Lines();
      expect([...lines.push(bytes.subarray(0, cut)), ...lines.push(bytes.subarray(cut))]).toEqual(['{"a":"é\u2028"}\r', '', '工具']);
    }
  });

  it('have a bound', () => {
    const lines = new Lines();
    lines.push(Buffer.alloc(MAX_LINE_BYTES));
    expect(() => lines.push(Buffer.alloc(1))).toThrow(RangeError);
  });
});

describe('events of the minimal bridge', () => {
  it('are the same however their bytes are cut, and whatever ends their lines', async () => {
    const bytes = Buffer.from(':note\r\nid: 1\rdata: {"a":\ndata:"é"}\n\nretry: 70\n\nevent: x\r\ndata\r\n\r\ndata: never ended\n');
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const told: string[] = [];
      const parts = async function* (): AsyncGenerator<Uint8Array> {
        yield bytes.subarray(0, cut);
        yield bytes.subarray(cut);
      };
      expect(await readEvents(parts(), (data) => told.push(data))).toEqual({ lastId: '1', retryMs: 70 });
      expect(told).toEqual(['{"a":\n"é"}', '']);
    }
  });
});

describe('a structured result of the minimal bridge', () => {
  const schema = { type: 'object', properties: { at: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } } }, required: ['at'] };

  it('is told where it does not fit', () => {
    expect(misfit(schema, { at: ['x', 1, 2] })).toBeUndefined();
    expect(misfit(schema, {})).toContain('"at"');
    expect(misfit(schema, { at: ['x', 1, 'two'] })).toContain('it.at.2');
    expect(misfit(schema, { at: [1] })).toContain('it.at.0');
  });

  it('is held to a schema that is understood whole, and to no other', () => {
    expect(misfit({ ...schema, minProperties: 2 }, {})).toBeUndefined();
    expect(misfit({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' }, {})).toBeUndefined();
  });
});

describe('the text of a result', () => {
  it('has words for every block and no payload', () => {
    const data = 'QUJD'.repeat(40);
    const text = textOfResult([
      { type: 'text', text: 'one' }, { type: 'image', data, mimeType: 'image/png' }, { type: 'resource_link', uri: `data:image/png;base64,${data}`, name: 'dot' },
      { type: 'resource', resource: { uri: 'test://a', blob: data } }, null, { type: 'new' }, { type: 'text', text: 'two' },
    ]);
    expect(text.split('\n')).toHaveLength(7);
    expect(text).not.toContain(data.slice(0, 64));
  });

  it('says so when there is nothing to show', () => {
    expect(textOfResult([])).not.toBe('');
    expect(textOfResult([{ type: 'text', text: ' ' }]).trim()).not.toBe('');
  });
});
