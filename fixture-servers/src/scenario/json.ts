import { z } from 'zod';

/** Any JSON value. Deliberately not walked by the schema: odd keys such as `__proto__` must survive as data (B15). */
export const jsonValue = z.unknown().meta({ description: 'Any JSON value.' });

/** A JSON object, kept as it is. */
export const jsonObject = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { error: 'expected an object' },
  )
  .meta({ description: 'A JSON object.', type: 'object' });

/** The text of a name that files, holds, signals and rules use. */
export const label = z.string().min(1).max(128).meta({ description: 'A short name, 1 to 128 characters.' });
