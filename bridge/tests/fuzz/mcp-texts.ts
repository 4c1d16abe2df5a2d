/** What a server may send in place of each answer: sound, odd in one member, or nothing like it. */
import * as fc from 'fast-check';
import { jsonText, member, objectOf, objectText } from './json-texts.ts';

/** Stands where the request's id goes. */
export const ID = '"@id"';

/** Sound answers, by method. */
export const SOUND: Readonly<Record<string, string>> = {
  initialize: '{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"f","version":"1"}}',
  'tools/list': '{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}',
  'tools/call': '{"content":[{"type":"text","text":"hello"}]}',
};

const initialize = objectOf(
  member('protocolVersion', '"2025-11-25"', '"2024-11-05"', '"1999-01-01"'),
  member('capabilities', '{"tools":{"listChanged":true}}', '{}'),
  member('serverInfo', '{"name":"f","version":"1"}'),
);
const schema = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('{"type":"object"}', '{"type":"object","properties":{"__proto__":{"type":"string"}}}', '{"$ref":"#"}', '{"type":"array"}', '{"type":"object","patternProperties":{"(":{}}}', '{"$schema":"urn:x","type":1}') },
  { weight: 1, arbitrary: jsonText },
);
const schemaMember = (name: string): fc.Arbitrary<readonly (readonly [string, string])[]> => fc.oneof(schema.map((text) => [[name, text] as const]), fc.constant([]));
const tool = fc.oneof(
  { weight: 6, arbitrary: objectOf(member('name', '"echo"', '"a.b"', '"__proto__"', '"\\ud800"', '"ä"', '""', `"${'n'.repeat(80)}"`), member('description', '"says"'), schemaMember('inputSchema'), schemaMember('outputSchema'), member('execution', '{"taskSupport":"optional"}', '{"taskSupport":"required"}')) },
  { weight: 1, arbitrary: jsonText },
);
const toolList = objectOf(
  fc.oneof({ weight: 8, arbitrary: fc.array(tool, { maxLength: 4 }).map((tools) => [['tools', `[${tools.join(',')}]`] as const]) }, { weight: 1, arbitrary: member('tools', '[]') }),
  fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: member('nextCursor', 'null', '""', '"next"', '"\\ud800"') }),
);
const block = fc.oneof(
  {
    weight: 6,
    arbitrary: objectOf(
      member('type', '"text"', '"image"', '"audio"', '"resource"', '"resource_link"', '"other"'), member('text', '"hi"', '"\\udfff"'),
      member('data', '"iVBORw0KGgo="', '"====="'), member('mimeType', '"image/png"'), member('uri', '"file:///a"'), member('resource', '{"uri":"a:b","blob":"AAAA"}'),
    ),
  },
  { weight: 1, arbitrary: jsonText },
);
const callResult = objectOf(
  fc.oneof({ weight: 8, arbitrary: fc.array(block, { maxLength: 4 }).map((blocks) => [['content', `[${blocks.join(',')}]`] as const]) }, { weight: 1, arbitrary: member('content', '[]') }),
  fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: member('structuredContent', '{"a":1}') }),
  member('isError', 'false', 'true', '"true"'),
);

const error = fc.oneof(objectOf(member('code', '-32601', '-32602', '1'), member('message', '"no"', '"\\ud800\\n\\u0000"'), member('data', '{}')), jsonText);
const odd: Readonly<Record<string, fc.Arbitrary<string>>> = { initialize, 'tools/list': toolList, 'tools/call': callResult };

function envelope(...members: readonly (readonly [string, string])[]): string {
  return objectText([['jsonrpc', '"2.0"'], ...members]);
}

const someId = fc.oneof(fc.constantFrom(ID, '"0"', '0', '1', '2', 'null', '1e999', '"__proto__"'), jsonText);
const method = fc.constantFrom('"notifications/tools/list_changed"', '"notifications/progress"', '"notifications/message"', '"ping"', '"sampling/createMessage"', '"__proto__"', '""', '"tools/list"');

/** A message that answers nothing, or something else than was asked. */
export const strayMessage: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(method, jsonText).map(([name, params]) => envelope(['method', name], ['params', params])),
  fc.tuple(method, someId, jsonText).map(([name, id, params]) => envelope(['id', id], ['method', name], ['params', params])),
  fc.tuple(someId, jsonText).map(([id, result]) => envelope(['id', id], ['result', result])),
  fc.tuple(someId, error).map(([id, text]) => envelope(['id', id], ['error', text])),
  objectOf(member('jsonrpc', '"2.0"', '"1.0"'), member('id', ID), member('method', '"ping"'), member('params', '{}'), member('result', '{}'), member('error', '{}')),
  fc.array(jsonText, { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
  jsonText,
);

/** An answer to one request, by its method: most of them have the right id. */
export function answerTo(name: string): fc.Arbitrary<string> {
  const sound = SOUND[name] ?? '{}';
  const result = fc.oneof({ weight: 3, arbitrary: odd[name] ?? jsonText }, { weight: 1, arbitrary: jsonText });
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(envelope(['id', ID], ['result', sound])) },
    { weight: 8, arbitrary: result.map((text) => envelope(['id', ID], ['result', text])) },
    { weight: 1, arbitrary: result.map((text) => `[${envelope(['result', text], ['id', ID])}]`) },
    { weight: 1, arbitrary: error.map((text) => envelope(['id', ID], ['error', text])) },
    { weight: 1, arbitrary: fc.tuple(result, error).map(([text, bad]) => envelope(['error', bad], ['id', ID], ['result', text])) },
    { weight: 1, arbitrary: strayMessage },
  );
}

/** The sound answer to a request. */
export function soundAnswer(name: string): string {
  return envelope(['id', ID], ['result', SOUND[name] ?? '{}']);
}

/** A text with the id of the request that it answers. */
export function withId(text: string, id: unknown): string {
  return text.replaceAll(ID, JSON.stringify(id) ?? 'null');
}
