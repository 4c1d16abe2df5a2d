/** How calls of tools that draw may go, for the hand-written histories of images. */
import { HOST_EVENTS } from '../../../src/adapter/host-events.ts';
import type { CallReply, CallRequest, ViewBlock } from '../../../src/adapter/messages.ts';
import { imagesSent, SEES, SERVER } from '../../../src/checks/projection/image-facts.ts';
import { imageBlock } from '../../../src/checks/projection/sample-images.ts';
import { history, type HistoryBuilder } from '../builder.ts';

/** A text that the model sees. */
export const text = (words: string): ViewBlock => ({ type: 'text', text: words });
/** A text block of a server. */
export const note = (words: string): object => ({ type: 'text', text: words });

/** What a bridge that stores them shows of these blocks. */
export function shown(...blocks: object[]): ViewBlock[] {
  return blocks.flatMap((block): ViewBlock[] => {
    const [image] = imagesSent([block]);
    return image === undefined ? [text('text' in block ? String(block.text) : '')] : [{ type: 'image', ...image }];
  });
}

/** What stands in for an image that is not shown. */
export const words: ViewBlock[] = [text('[an image]')];

/** The image that a tool of this name draws. */
export const picture = (name: string): object => imageBlock('image/png', `drawn by ${name}`);
/** That image under a text. */
export const seenBy = (name: string): object[] => [note('seen'), picture(name)];
/** No exercise took place. */
export const noCall = [history().named('no call')];

/** How one call goes. */
export interface Story {
  readonly view?: readonly ViewBlock[];
  readonly reply?: Partial<CallReply>;
  /** Batches that the store is given; default none. */
  readonly stores?: readonly (readonly object[])[];
  readonly looksUp?: boolean | 'before it is sent';
  readonly isError?: boolean;
  readonly request?: Partial<CallRequest>;
  readonly structured?: boolean;
  /** What happens between the store's call and the outcome. */
  readonly between?: (builder: HistoryBuilder, callId: string) => void;
  /** Batches that the store is given after that. */
  readonly storesLate?: readonly (readonly object[])[];
  /** It never settles. */
  readonly hangs?: boolean;
}

/** The host told of something. */
export function told(builder: HistoryBuilder, event: string, detail: unknown): HistoryBuilder {
  return builder.event({ kind: 'host-event', event, detail });
}

function stored(builder: HistoryBuilder, batches: Story['stores'] = []): void {
  for (const batch of batches) told(builder, HOST_EVENTS.storeCall, { images: imagesSent(batch) });
}

/** One call of a tool that answers with these blocks. */
export function draws(rawName: string, content: readonly object[], story: Story = {}, builder = history()): HistoryBuilder {
  const callId = `call-${builder.nextId()}`;
  const id = builder.nextId();
  builder.asked({ callId, name: `p_${rawName}`, arguments: { probe: callId }, agent: SEES, ...story.request }, { server: SERVER, rawName });
  if (story.looksUp === 'before it is sent') told(builder, HOST_EVENTS.routeLookup, { route: SEES });
  builder.received(SERVER, { jsonrpc: '2.0', id, method: 'tools/call', params: { name: rawName, arguments: { probe: callId } } });
  const result = { content, ...(story.isError === true ? { isError: true } : {}), ...(story.structured === true ? { structuredContent: { kept: true } } : {}) };
  builder.sent(SERVER, { jsonrpc: '2.0', id, result });
  if ((story.looksUp ?? true) === true) told(builder, HOST_EVENTS.routeLookup, { route: SEES });
  stored(builder, story.stores);
  story.between?.(builder, callId);
  if (story.hangs !== true) builder.outcome(callId, { view: [...(story.view ?? shown(...content))], ...story.reply });
  stored(builder, story.storesLate);
  return builder;
}

/** A call that goes well. */
export function well(rawName: string, builder?: HistoryBuilder): HistoryBuilder {
  const content = [picture(rawName)];
  return draws(rawName, content, { stores: [content] }, builder);
}

/** Calls of tools that each draw something of their own, as `how` says, then one that goes well. */
export function each(names: readonly string[], how: (name: string, content: readonly object[]) => Story, last = 'draw-healthy'): HistoryBuilder {
  const builder = history();
  for (const name of names) {
    const content = [imageBlock('image/png', `for ${name}`)];
    draws(name, content, how(name, content), builder);
  }
  return well(last, builder);
}
