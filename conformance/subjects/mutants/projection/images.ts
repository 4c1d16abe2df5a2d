import { ProjectionStaging, referenceStages, refuseImages, type AdmissionInput, type BridgeStages, type CanonicalValue, type Storage } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { withStages } from '../plant.ts';

type Decode = BridgeStages['decodeImages'];
type Admit = BridgeStages['admitImages'];
type Store = BridgeStages['storeImages'];
type Piece = Parameters<Decode>[0][number];
type Reference = Extract<Storage, { kind: 'stored' }>['references'][number];
type Block = CanonicalValue['content'][number];

const decoding = (decodeImages: Decode) => withStages(() => ({ decodeImages }));
const admitting = (make: () => Admit) => withStages(() => ({ admitImages: make() }));
const storing = (storeImages: Store) => withStages(() => ({ storeImages }));

/** A signal that no caller ever aborts. */
const deaf = (): AbortSignal => new AbortController().signal;

/** Pieces whose data went through a decoder that forgives. */
const forgiven = (pieces: readonly Piece[]): Piece[] => pieces.map((piece) => ({ ...piece, data: Buffer.from(piece.data.replace(/^data:.*,/, ''), 'base64').toString('base64') }));

/** Decodes pieces that `believes` says are fine, whatever their bytes are; the others as the reference does. */
const believing = (believes: (piece: Piece) => boolean): Decode => (pieces, limits) =>
  pieces.every((piece) => believes(piece) && Buffer.from(piece.data, 'base64').toString('base64') === piece.data)
    ? { kind: 'decoded', images: pieces.map(({ mediaType, data }) => ({ mediaType, data: Uint8Array.from(Buffer.from(data, 'base64')) })) }
    : referenceStages.decodeImages(pieces, limits);

const FOUR: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/** Admission in a host whose model routes answer through `answer`. */
const routed = (answer: (ask: () => Promise<unknown>, route: string) => Promise<unknown>): Admit => (input) => {
  const get = (service: string): unknown => {
    const found = input.services.get(service);
    if (service !== 'llm' || !isRoutes(found)) return found;
    return { resolveModelInfo: (provider: string, model: string, signal: AbortSignal) => answer(() => found.resolveModelInfo(provider, model, signal), model) };
  };
  return referenceStages.admitImages({ ...input, services: { get } });
};

interface Routes {
  resolveModelInfo(provider: string, model: string, signal: AbortSignal): Promise<unknown>;
}

function isRoutes(service: unknown): service is Routes {
  return typeof service === 'object' && service !== null && 'resolveModelInfo' in service;
}

const SEEING = { inputModalities: ['image'] };
const AGENT = { options: { provider: 'suite', model: 'sees' } };

/** Stores and shows the good images of a result although others are bad. */
function keepsTheGoodOnes(): Partial<BridgeStages> {
  let places: readonly number[] = [];
  return {
    decodeImages: (pieces, limits) => {
      const whole = referenceStages.decodeImages(pieces, limits);
      places = pieces.map((_, at) => at);
      if (whole.kind === 'decoded' || whole.own === undefined) return whole;
      const each = pieces.map((piece) => referenceStages.decodeImages([piece], limits));
      const images = each.flatMap((batch) => (batch.kind === 'decoded' ? batch.images : []));
      if (images.length === 0) return whole;
      places = each.flatMap(({ kind }, at) => (kind === 'decoded' ? [at] : []));
      return { kind: 'decoded', images };
    },
    storeImages: async (input) => {
      const stored = await referenceStages.storeImages(input);
      if (stored.kind === 'refused') return stored;
      const references: Reference[] = [];
      for (const [at, place] of places.entries()) references[place] = stored.references[at] ?? {};
      return { kind: 'stored', references };
    },
  };
}

/** Remembers the first store that was ever found. */
function remembersTheStore(): Admit {
  let known: unknown;
  return (input) => {
    const get = (service: string): unknown => (service === 'attachments' ? (known ??= input.services.get(service)) : input.services.get(service));
    return referenceStages.admitImages({ ...input, services: { get } });
  };
}

/** Remembers what was said of a route first. */
function remembersRoutes(): Admit {
  const known = new Map<string, unknown>();
  return routed(async (ask, route) => {
    if (!known.has(route)) known.set(route, await ask());
    return known.get(route);
  });
}

/** Runs the images of a failure through everything before it fails. */
const storesFailures = (): Partial<BridgeStages> => ({
  callTool: async (input, stages) => {
    let value: CanonicalValue | undefined;
    try {
      return await referenceStages.callTool(input, { ...stages, canonicalValue: (own, result) => (value = stages.canonicalValue(own, result)) });
    } catch (error) {
      if (value !== undefined && input.images !== undefined) await stages.stageImages(input.images, value, stages);
      throw error;
    }
  },
});

/** Installs a projection whatever a policy made of the result. */
class Stubborn extends ProjectionStaging {
  override take(exec: Parameters<ProjectionStaging['take']>[0]): ReturnType<ProjectionStaging['take']> {
    return this.#content.get(exec)?.slice();
  }

  override stage(...[exec, projection]: Parameters<ProjectionStaging['stage']>): void {
    this.#content.set(exec, [...projection.content]);
  }

  readonly #content = new WeakMap<object, NonNullable<ReturnType<ProjectionStaging['take']>>>();
}

/** Keeps one projection a tool, for whoever comes to its end next. */
class ByName extends ProjectionStaging {
  readonly #content = new Map<string, NonNullable<ReturnType<ProjectionStaging['take']>>>();

  override take(...[exec, result]: Parameters<ProjectionStaging['take']>): ReturnType<ProjectionStaging['take']> {
    const content = this.#content.get(exec.name);
    this.#content.delete(exec.name);
    return result.isError ? undefined : content;
  }

  override stage(...[exec, projection]: Parameters<ProjectionStaging['stage']>): void {
    this.#content.set(exec.name, [...projection.content]);
  }
}

const staging = (make: () => ProjectionStaging) =>
  withStages(() => {
    const shared = make();
    return { buildDefinitions: (input) => referenceStages.buildDefinitions({ ...input, staging: shared }) };
  });

const isImage = (block: Block): boolean => typeof block === 'object' && block !== null && !Array.isArray(block) && block['type'] === 'image';

/** What a refused image says of its own data. */
const naming: Decode = (pieces, limits) => {
  const batch = referenceStages.decodeImages(pieces, limits);
  if (batch.kind === 'decoded' || batch.own === undefined) return batch;
  return { ...batch, own: new Map([...batch.own].map(([at, reason]) => [at, `${reason} (${pieces[at]?.data.slice(0, 200) ?? ''})`])) };
};

const asUsual = (input: AdmissionInput): ReturnType<Admit> => referenceStages.admitImages(input);

/** The mutants of `projection` that are about images. */
export const imageMutants: readonly Mutant[] = [
  mutant('PROJECTION-020', 'shows-images-first', {
    kind: 'stage',
    create: () => withStages(() => ({
      projectResult: (value, options) => referenceStages.projectResult(value, options).toSorted((a, b) => Number(a.type === 'text') - Number(b.type === 'text')),
    })),
  }),
  mutant('PROJECTION-020', 'turns-the-references', {
    kind: 'stage',
    create: () => storing(async (input) => {
      const stored = await referenceStages.storeImages(input);
      return stored.kind === 'refused' ? stored : { ...stored, references: stored.references.toReversed() };
    }),
  }),
  mutant('PROJECTION-020', 'drops-images-beside-structured-content', {
    kind: 'stage',
    create: () => withStages(() => ({
      stageImages: async (call, value, stages) => (value.structuredContent === undefined ? referenceStages.stageImages(call, value, stages) : undefined),
    })),
  }),
  mutant('PROJECTION-021', 'stores-one-by-one', {
    kind: 'stage',
    create: () => storing(async (input) => {
      const references: Reference[] = [];
      for (const image of input.images) {
        const stored = await referenceStages.storeImages({ ...input, images: [image] });
        if (stored.kind === 'refused') return stored;
        references.push(...stored.references);
      }
      return { kind: 'stored', references };
    }),
  }),
  mutant('PROJECTION-021', 'stores-backwards', {
    kind: 'stage',
    create: () => storing(async (input) => {
      const stored = await referenceStages.storeImages({ ...input, images: input.images.toReversed() });
      return stored.kind === 'refused' ? stored : { ...stored, references: stored.references.toReversed() };
    }),
  }),
  mutant('PROJECTION-022', 'forgives-base64', {
    kind: 'stage', create: () => decoding((pieces, limits) => referenceStages.decodeImages(forgiven(pieces), limits)),
  }),
  mutant('PROJECTION-023', 'believes-the-declared-type', {
    kind: 'stage', create: () => decoding(believing(({ mediaType }) => FOUR.has(mediaType))),
  }),
  mutant('PROJECTION-024', 'takes-any-image-type', {
    kind: 'stage', create: () => decoding(believing(({ mediaType }) => mediaType.startsWith('image/') && !FOUR.has(mediaType))),
  }),
  mutant('PROJECTION-025', 'keeps-the-good-ones', { kind: 'stage', create: () => withStages(keepsTheGoodOnes) }),
  mutant('PROJECTION-025', 'makes-up-references', {
    kind: 'stage',
    create: () => storing(async (input) => {
      const stored = await referenceStages.storeImages(input);
      return stored.kind === 'stored' || input.signal.aborted ? stored : { kind: 'stored', references: input.images.map(({ mediaType }) => ({ mediaType, sha256: 'made-up' })) };
    }),
  }),
  mutant('PROJECTION-026', 'asks-for-no-declaration', {
    kind: 'stage', create: () => admitting(() => routed(async (ask) => (await ask()) && SEEING)),
  }),
  mutant('PROJECTION-026', 'takes-a-failed-lookup-for-yes', { kind: 'stage', create: () => admitting(() => routed((ask) => ask().catch(() => SEEING))) }),
  mutant('PROJECTION-026', 'assumes-a-model-where-none-is-known', {
    kind: 'stage', create: () => admitting(() => (input) => asUsual({ ...input, agent: input.agent ?? AGENT })),
  }),
  mutant('PROJECTION-027', 'remembers-the-store', { kind: 'stage', create: () => admitting(remembersTheStore) }),
  mutant('PROJECTION-027', 'remembers-routes', { kind: 'stage', create: () => admitting(remembersRoutes) }),
  mutant('PROJECTION-028', 'stores-images-of-failures', { kind: 'stage', create: () => withStages(storesFailures) }),
  mutant('PROJECTION-029', 'stores-after-an-abort', {
    kind: 'stage',
    create: () => withStages(() => ({
      admitImages: (input) => asUsual({ ...input, signal: deaf() }),
      storeImages: (input) => referenceStages.storeImages({ ...input, signal: deaf() }),
    })),
  }),
  mutant('PROJECTION-029', 'stores-again-after-an-abort', {
    kind: 'stage',
    create: () => storing(async (input) => {
      const stored = await referenceStages.storeImages(input);
      if (input.signal.aborted) void referenceStages.storeImages({ ...input, signal: deaf() });
      return stored;
    }),
  }),
  mutant('PROJECTION-030', 'has-the-last-word', { kind: 'stage', create: () => staging(() => new Stubborn()) }),
  mutant('PROJECTION-031', 'keeps-payloads-from-programs', {
    kind: 'stage',
    create: () => withStages(() => ({
      callTool: async (input, stages) => {
        const value = await referenceStages.callTool(input, stages);
        if (input.images?.exec.parent === undefined) return value;
        return { ...value, content: value.content.map((block) => (isImage(block) ? { type: 'image', mimeType: 'image/png', data: '' } : block)) };
      },
    })),
  }),
  mutant('PROJECTION-032', 'shows-programs-words', {
    kind: 'stage',
    create: () => withStages(() => ({
      stageImages: async (call, value, stages) => (call.exec.parent === undefined ? referenceStages.stageImages(call, value, stages) : undefined),
    })),
  }),
  mutant('PROJECTION-033', 'names-the-data-of-a-bad-image', { kind: 'stage', create: () => decoding(naming) }),
  mutant('PROJECTION-033', 'logs-what-was-not-stored', {
    kind: 'stage',
    create: () => storing(async (input) => {
      const stored = await referenceStages.storeImages(input);
      if (stored.kind === 'stored') return stored;
      return { ...refuseImages(stored.reason), fault: `not stored: ${Buffer.from(input.images[0]?.data ?? []).toString('base64').slice(0, 200)}` };
    }),
  }),
  mutant('PROJECTION-034', 'keeps-one-projection-a-tool', { kind: 'stage', create: () => staging(() => new ByName()) }),
  mutant('PROJECTION-035', 'knows-no-bounds', {
    kind: 'stage', create: () => decoding((pieces) => referenceStages.decodeImages(pieces, { maxImageBytes: Infinity, maxImagesPerResult: Infinity })),
  }),
];
