/**
 * Pure helpers of judges of images, and the host that all of them ask for.
 */
import type { HostSpec, ViewBlock } from '../../adapter/bridge-adapter.ts';
import { gateHeldDetail, HOST_EVENTS, routeLookupDetail, storeCallDetail } from '../../adapter/host-events.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, isObject, type At, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, type Judgement } from '../check.ts';
import { answeredResult, callFor, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { digestOf } from './sample-images.ts';

/** The server of all checks of images. */
export const SERVER = 'draws';

/** A route that declares image input. */
export const SEES = 'sees';
/** A route that declares text input only. */
export const READS = 'reads';
/** A route that declares nothing. */
export const SILENT = 'silent';

/** A store, and a route of each kind. */
export const IMAGE_HOST: HostSpec = {
  attachmentStore: 'memory',
  routes: { [SEES]: { inputModalities: ['text', 'image'] }, [READS]: { inputModalities: ['text'] }, [SILENT]: {} },
};

/** An image by what a view says of it. */
export interface NamedImage {
  readonly mediaType: string;
  readonly sha256: string;
}

/** The images of a view, in order. */
export function imagesSeen(view: readonly ViewBlock[]): NamedImage[] {
  return view.flatMap((block) => (block.type === 'image' ? [{ mediaType: block.mediaType, sha256: block.sha256 }] : []));
}

/** The images among blocks that a server sent, in order, as a view would name them. */
export function imagesSent(blocks: readonly unknown[]): NamedImage[] {
  return blocks.flatMap((block) => {
    if (!isObject(block) || block['type'] !== 'image') return [];
    const { data, mimeType } = block;
    return [{ mediaType: String(mimeType), sha256: typeof data === 'string' ? digestOf(data) : '' }];
  });
}

/** Every time the store was asked to take a batch. */
export function storeCalls(history: History): At<readonly NamedImage[]>[] {
  return eventsOf(history, 'host-event').flatMap(({ index, event: { event, detail } }) => {
    const known = event === HOST_EVENTS.storeCall ? storeCallDetail.safeParse(detail) : undefined;
    return known?.success === true ? [{ index, event: known.data.images }] : [];
  });
}

/** Every time a route was looked up. */
export function routeLookups(history: History): At<string>[] {
  return eventsOf(history, 'host-event').flatMap(({ index, event: { event, detail } }) => {
    const known = event === HOST_EVENTS.routeLookup ? routeLookupDetail.safeParse(detail) : undefined;
    return known?.success === true ? [{ index, event: known.data.route }] : [];
  });
}

/** Whether a host event says that something waits at this gate. */
export function isHeldAt(gate: string): (event: string, detail: unknown) => boolean {
  return (event, detail) => {
    const known = event === HOST_EVENTS.gateHeld ? gateHeldDetail.safeParse(detail) : undefined;
    return known?.success === true && known.data.gate === gate;
  };
}

/** Every time something came to this gate and waited. */
export function heldAtGate(history: History, gate: string): number[] {
  const isHeld = isHeldAt(gate);
  return eventsOf(history, 'host-event').flatMap(({ index, event: { event, detail } }) => (isHeld(event, detail) ? [index] : []));
}

/** A call that its server answered with content, and that ended well. */
export interface AnsweredCall {
  readonly call: PairedCall;
  readonly blocks: readonly unknown[];
  readonly view: readonly ViewBlock[];
}

/** A call to judge, or why there is none. */
export function answered(history: History, call: PairedCall | undefined, rawName: string): AnsweredCall | Judgement {
  if (call === undefined) return uncalled(history, SERVER, rawName) ?? inconclusive(`"${rawName}" was not called`);
  const blocks = answeredResult(call)?.['content'];
  if (!Array.isArray(blocks)) return inconclusive(`the server did not answer "${rawName}" with content`);
  const reply = replyOf(call);
  if (reply === undefined) return fail(`the call of "${rawName}" never settled`, placesOf(call));
  if (reply.outcome !== 'ok') return fail(`the result of "${rawName}" ended as ${reply.outcome}: ${reply.message ?? ''}`, placesOf(call));
  return { call, blocks, view: reply.view };
}

/** Judges the last call of one tool. */
export function judgeCall(history: History, rawName: string, judge: (answered: AnsweredCall) => Judgement | undefined): Judgement | undefined {
  const found = answered(history, callFor(history, rawName), rawName);
  return 'verdict' in found ? found : judge(found);
}

/** The last call of this tool shows exactly what was sent; anything else is doubt, since it is only the witness. */
export function witness(history: History, rawName: string): Judgement | undefined {
  const found = answered(history, callFor(history, rawName), rawName);
  if ('verdict' in found) return inconclusive(`the healthy call of "${rawName}" did not end well: ${found.message}`);
  return sameImages(imagesSeen(found.view), imagesSent(found.blocks)) ? undefined : inconclusive(`the healthy call of "${rawName}" does not show its images`);
}

/** Whether two lists name the same images in the same order. */
export function sameImages(left: readonly NamedImage[], right: readonly NamedImage[]): boolean {
  return left.length === right.length && left.every(({ mediaType, sha256 }, at) => mediaType === right[at]?.mediaType && sha256 === right[at].sha256);
}

/** Fails when a call shows any image. */
export function showsNoImage({ call, view }: AnsweredCall, why: string): Judgement | undefined {
  return imagesSeen(view).length > 0 ? fail(`an image is shown although ${why}`, placesOf(call)) : undefined;
}

/** Fails when any image of these blocks was handed to the store. */
export function storesNone(history: History, { blocks, call }: AnsweredCall, why: string): Judgement | undefined {
  const digests = new Set(imagesSent(blocks).map(({ sha256 }) => sha256));
  const stored = storeCalls(history).find(({ event }) => event.some(({ sha256 }) => digests.has(sha256)));
  return stored === undefined ? undefined : fail(`an image was given to the store although ${why}`, [...placesOf(call), stored.index]);
}
