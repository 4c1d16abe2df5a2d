/**
 * From the images of one successful call to what its model sees: decode, admit, store, project, stage (S43-S48).
 * @module
 */
import type { BridgeLog } from './bridge-log.ts';
import type { CanonicalValue } from './canonical-value.ts';
import { imagePieces, type ImagePiece } from './content-pieces.ts';
import { describeError } from './errors.ts';
import type { ContentBlock, ToolExecution } from './host-services.ts';
import type { Admission, AdmissionInput, ServiceLookup } from './image-admission.ts';
import type { BatchLimits, DecodedBatch, ImageRefusal, ServiceRefusal } from './image-batch.ts';
import type { ProjectionStaging } from './image-staging.ts';
import type { Storage, StorageInput } from './image-storage.ts';
import { isJsonObject } from './json-shape.ts';
import { collectPayloads, withoutPayloads } from './payloads.ts';
import { IMAGES_NOT_SHOWN, type ImageAdmission, type ProjectionOptions } from './result-projection.ts';
import { watchAbort } from './transport/abort-watch.ts';

/** Bounds of everything that is done for the images of one result. */
export interface ImageLimits extends BatchLimits {
  /** Bound of the route lookup, milliseconds. */
  readonly imageLookupTimeoutMs: number;
  /** Bound of the store's answer, milliseconds. */
  readonly imageStoreTimeoutMs: number;
}

/** What the images of every call of one instance share. */
export interface ImageSettings {
  readonly services: ServiceLookup;
  readonly limits: ImageLimits;
  /** Bound of all text, UTF-16 code units (B16). */
  readonly maxChars: number;
  /** Tells a person that a service failed; `undefined`: that all went well. */
  readonly report: (fault: string | undefined) => void;
  /** Aborts when the instance is being disposed: then no service is called any more (S60). */
  readonly ended?: AbortSignal | undefined;
}

/** The images of one call. */
export interface ImageCall {
  readonly settings: ImageSettings;
  readonly exec: ToolExecution;
  /** Of the generation whose definition runs. */
  readonly staging: ProjectionStaging;
}

/** The parts that a test may replace one by one. */
export interface ImageStages {
  /** Decodes the whole batch (S43, B17). */
  readonly decodeImages: (pieces: readonly ImagePiece[], limits: BatchLimits) => DecodedBatch;
  /** Finds the store, if the model takes images (S44). */
  readonly admitImages: (input: AdmissionInput) => Promise<Admission>;
  /** Stores the whole batch (S43). */
  readonly storeImages: (input: StorageInput) => Promise<Storage>;
  /** What the model reads of a success (S40-S50). */
  readonly projectResult: (value: CanonicalValue, options: ProjectionOptions) => ContentBlock[];
}

/** Reads the settings off a config. A fault that repeats is a warning once, until a batch is stored again. */
export function imageSettings(services: ServiceLookup, config: ImageLimits & { readonly resultTextMaxChars: number }, log: BridgeLog, ended?: AbortSignal): ImageSettings {
  const { maxImageBytes, maxImagesPerResult, imageLookupTimeoutMs, imageStoreTimeoutMs, resultTextMaxChars: maxChars } = config;
  let last: string | undefined;
  const report = (fault: string | undefined): void => {
    if (fault !== undefined) log(fault === last ? 'debug' : 'warn', `the images of a result are shown as text: ${fault}`);
    last = fault;
  };
  return { services, limits: { maxImageBytes, maxImagesPerResult, imageLookupTimeoutMs, imageStoreTimeoutMs }, maxChars, report, ended };
}

/** Whether a result has any image; all that a result without one pays. */
export function holdsImages({ content }: CanonicalValue): boolean {
  return content.some((block) => isJsonObject(block) && block['type'] === 'image');
}

/**
 * Stages what the model of this call shall see. Nothing is looked up or stored after the caller gave up, and nothing is
 * staged then (S38); the caller of this function looks at the signal. Never rejects.
 */
export async function stageImages({ settings, exec, staging }: ImageCall, value: CanonicalValue, stages: ImageStages): Promise<void> {
  const given = combineSignals([exec.signal, settings.ended]);
  const images = await settleImages(settings, exec, given.signal, value, stages).finally(given.release);
  if (exec.signal.aborted) return;
  const { maxChars } = settings;
  const fallback = stages.projectResult(value, { maxChars, images: IMAGES_NOT_SHOWN });
  staging.stage(exec, { value, fallback, content: stages.projectResult(value, { maxChars, images }) });
}

/** A signal that aborts with the first of several. Unlike `AbortSignal.any`, nothing of it stays on them after `release`. */
function combineSignals(signals: readonly (AbortSignal | undefined)[]): { readonly signal: AbortSignal; readonly release: () => void } {
  const own = new AbortController();
  const stops: (() => void)[] = [];
  for (const signal of signals) {
    if (signal?.aborted === true) own.abort(signal.reason);
    else if (signal !== undefined) stops.push(watchAbort(signal, () => own.abort(signal.reason)));
  }
  return { signal: own.signal, release: () => stops.forEach((stop) => stop()) };
}

/** What becomes of the images. Each step that calls a service looks at the signal first. */
async function settleImages(settings: ImageSettings, { agent }: ToolExecution, signal: AbortSignal, value: CanonicalValue, stages: ImageStages): Promise<ImageAdmission> {
  const { services, limits } = settings;
  const batch = stages.decodeImages(imagePieces(value.content), limits);
  if (batch.kind === 'refused') return batch;
  const admission = await stages.admitImages({ ...limits, services, agent, signal });
  if (admission.kind === 'refused') return reported(settings, admission, value);
  const stored = await stages.storeImages({ ...limits, store: admission.store, images: batch.images, signal });
  if (stored.kind === 'refused') return reported(settings, stored, value);
  settings.report(undefined);
  return stored;
}

/** A person is told why a service failed; the model only that it did, since a service may name paths of the host. */
function reported(settings: ImageSettings, refusal: ServiceRefusal, { content }: CanonicalValue): ImageRefusal {
  const { reason, fault } = refusal;
  if (fault !== undefined) {
    const why = fault instanceof Error ? fault.message || fault.name : typeof fault === 'string' ? fault : 'it threw something that is no error';
    // Payloads go before the text is cut: half of one could no longer be found (S46).
    settings.report(`${reason}: ${describeError(withoutPayloads(why, collectPayloads(content)))}`);
  }
  return refusal;
}
