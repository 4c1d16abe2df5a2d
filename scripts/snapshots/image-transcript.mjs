import { startController } from 'mcp-fixture-server';
import { referenceAdapter } from './paths.mjs';

/** One grey pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGOoBwAAgQCA05RTSgAAAABJRU5ErkJggg==';
/** One blue pixel. */
const GIF = 'R0lGODlhAQABAIAAAExpcQlayCH5BAUAAAAALAAAAAABAAEAAAICTAEAOw==';

const content = [
  { type: 'text', text: 'Two pictures,' },
  { type: 'text', text: 'the first one grey:' },
  { type: 'image', data: PNG, mimeType: 'image/png' },
  { type: 'image', data: GIF, mimeType: 'image/gif' },
  { type: 'text', text: `The first one again, as text: ${PNG}` },
];

/** @type {import('mcp-fixture-server').ScenarioInput} */
const SCENARIO = {
  scenario: 1,
  tools: [
    { name: 'draw', description: 'Draws two pictures.', result: { content } },
    { name: 'draw_badly', description: 'Draws one that is none.', result: { content: [content[2], { type: 'image', data: GIF, mimeType: 'image/png' }] } },
  ],
};

/** The calls, each for an agent on a route. */
const CALLS = [
  { tool: 'draw', agent: 'sees', title: 'what a model sees that takes images' },
  { tool: 'draw', agent: 'reads', title: 'what a model sees that takes text only' },
  { tool: 'draw_badly', agent: 'sees', title: 'what a model sees of a batch with a bad image' },
];

/** What crosses the wire with inline images, and what models see of it (S63). Payloads are shortened. */
export async function imageTranscript() {
  const controller = await startController();
  const adapter = await referenceAdapter();
  try {
    const fixture = controller.serve('fixture', SCENARIO);
    await adapter.open({
      servers: [{ name: 'fixture', transport: 'stdio', command: fixture.command, args: [...fixture.args] }],
      host: { attachmentStore: 'memory', routes: { sees: { inputModalities: ['text', 'image'] }, reads: { inputModalities: ['text'] } } },
    });
    /** @type {string[][]} */
    const views = [];
    for (const [index, { tool, agent }] of CALLS.entries()) {
      const { view } = await adapter.call({ callId: `call-${index}`, name: `mcp__fixture__${tool}`, arguments: {}, agent });
      views.push(view.map((block) => `   ${block.type === 'text' ? JSON.stringify(block.text) : `image ${block.mediaType} sha256:${block.sha256}`}`));
    }
    await adapter.close();
    await fixture.waitForProcessEnd();
    const messages = fixture.records.flatMap((record) => (record.kind === 'frame' ? [JSON.parse(record.raw)] : []));
    const requests = messages.filter(({ method }) => method === 'tools/call');
    return CALLS.map(({ title }, index) => {
      const request = requests[index];
      const answer = messages.find(({ id, result }) => id === request.id && result !== undefined);
      return [`-> ${shortened(request)}`, `<- ${shortened(answer)}`, `== ${title}`, ...(views[index] ?? []), ''].join('\n');
    }).join('\n');
  } finally {
    await adapter.close();
    await controller.close();
  }
}

/**
 * Base64 by its beginning and its length.
 * @param {unknown} message
 */
function shortened(message) {
  return JSON.stringify(message, (_, value) => (typeof value === 'string' ? value.replace(/[A-Za-z0-9+/]{40,}={0,2}/g, (run) => `${run.slice(0, 12)}… ${run.length} characters`) : value));
}
