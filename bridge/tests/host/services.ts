/** The services of any host, narrowed to what the tests ask of them. */
import type { AttachmentStore, ModelRoutes } from '../../src/host-services.ts';
import type { EmbeddedHost } from '../../src/host/embedded-host.ts';

/** Names in `ctx.tools`, as the model is told. */
export function registeredNames(host: EmbeddedHost): string[] {
  const tools = host.ctx.get('tools');
  if (!has(tools, 'schemas') || typeof tools.schemas !== 'function') throw new TypeError('no ctx.tools');
  const listed: unknown = tools.schemas();
  if (!Array.isArray(listed)) throw new TypeError('ctx.tools lists nothing');
  return listed.map((each: unknown) => (has(each, 'name') ? String(each.name) : '?'));
}

/** `ctx.llm`. */
export function modelRoutes(host: EmbeddedHost): ModelRoutes {
  const routes = host.ctx.get('llm');
  if (isModelRoutes(routes)) return routes;
  throw new TypeError('no ctx.llm');
}

/** `ctx.attachments`. */
export function attachmentStore(host: EmbeddedHost): AttachmentStore {
  const store = host.ctx.get('attachments');
  if (isStore(store)) return store;
  throw new TypeError('no ctx.attachments');
}

function isModelRoutes(value: unknown): value is ModelRoutes {
  return has(value, 'resolveModelInfo');
}

function isStore(value: unknown): value is AttachmentStore {
  return has(value, 'saveImages');
}

function has<Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> {
  return typeof value === 'object' && value !== null && key in value;
}
