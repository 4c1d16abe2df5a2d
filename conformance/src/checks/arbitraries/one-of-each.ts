import * as fc from 'fast-check';

/** What an array remembers of its elements, so that each can shrink on its own. */
interface Part<T> {
  readonly from: number;
  readonly value: fc.Value<T>;
}

/**
 * An array with one element of each kind, in random order. It shrinks by leaving elements out and then by shrinking what
 * is left; so each run covers every kind and a counterexample still ends as the one element that matters.
 */
class OneOfEach<T> extends fc.Arbitrary<T[]> {
  readonly #kinds: readonly fc.Arbitrary<T>[];

  constructor(kinds: readonly fc.Arbitrary<T>[]) {
    super();
    this.#kinds = kinds;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T[]> {
    const parts = this.#kinds.map((kind, from): Part<T> => ({ from, value: kind.generate(random, bias) }));
    for (let last = parts.length - 1; last > 0; last -= 1) {
      const other = random.nextInt(0, last);
      const [a, b] = [parts[last], parts[other]];
      if (a !== undefined && b !== undefined) [parts[last], parts[other]] = [b, a];
    }
    return whole(parts);
  }

  override canShrinkWithoutContext(_value: unknown): _value is T[] {
    return false;
  }

  override shrink(_value: T[], context: unknown): fc.Stream<fc.Value<T[]>> {
    return isParts<T>(context) ? fc.stream(this.#smaller(context)) : fc.Stream.nil();
  }

  *#smaller(parts: readonly Part<T>[]): IterableIterator<fc.Value<T[]>> {
    for (let size = Math.ceil(parts.length / 2); size >= 1 && parts.length > 1; size = Math.floor(size / 2)) {
      for (let start = 0; start < parts.length; start += size) {
        const rest = [...parts.slice(0, start), ...parts.slice(start + size)];
        if (rest.length > 0) yield whole(rest);
      }
    }
    for (const [index, part] of parts.entries()) {
      const kind = this.#kinds[part.from];
      if (kind === undefined) continue;
      for (const value of kind.shrink(part.value.value_, part.value.context)) {
        yield whole(parts.map((other, at) => (at === index ? { from: part.from, value } : other)));
      }
    }
  }
}

/** An array with one element of each of these, in random order. */
export function oneOfEach<T>(kinds: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T[]> {
  return new OneOfEach(kinds);
}

function whole<T>(parts: readonly Part<T>[]): fc.Value<T[]> {
  return new fc.Value(parts.map((part) => part.value.value), parts);
}

/** The context is our own array; an empty one has nothing to shrink. */
function isParts<T>(context: unknown): context is readonly Part<T>[] {
  return Array.isArray(context) && context.length > 0;
}
