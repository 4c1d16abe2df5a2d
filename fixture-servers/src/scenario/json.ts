import { z } from 'zod';

/** What the schemas say of a value that is no object; told anew, with an example, to people. */
export const EXPECTED_OBJECT = 'expected an object';

/** Any JSON value. Deliberately not walked by the schema: odd keys such as `__proto__` must survive as data (B15). */
export const jsonValue = z.unknown().meta({ description: 'Any JSON value.' });

/** A JSON object, kept as it is. */
export const jsonObject = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { error: EXPECTED_OBJECT },
  )
  .meta({ description: 'A JSON object.', type: 'object' });

/** The text of a name that files, holds, signals and rules use. */
export const label = z.string().min(1).max(128).meta({ description: 'A short name, 1 to 128 characters.' });

/** Value schemas of the mappings made by {@link mapping}, for those who walk schemas to explain an error. */
export const mappingValues = new WeakMap<z.ZodType, z.ZodType>();

/**
 * A mapping from any name to `value`, in which every name is data. The schema library's own record silently drops the
 * key `__proto__`, and a server or list of that name must survive (B15, R07).
 */
export function mapping<Value extends z.ZodType>(
  value: Value,
  description: string,
): z.ZodType<Record<string, z.output<Value>>, Record<string, z.input<Value>>> {
  const schema = z
    .custom<Record<string, z.input<Value>>>(
      (input) => typeof input === 'object' && input !== null && !Array.isArray(input),
      { error: EXPECTED_OBJECT },
    )
    .transform((input, context) => {
      const output: Record<string, z.output<Value>> = {};
      for (const key of Object.keys(input)) {
        const parsed = value.safeParse(input[key]);
        if (parsed.success) {
          Object.defineProperty(output, key, { value: parsed.data, writable: true, enumerable: true, configurable: true });
        } else {
          for (const issue of parsed.error.issues) {
            // Whole, so that whoever explains it can look into the branches of a union.
            context.addIssue({ code: 'custom', path: [key], message: issue.message, params: { nested: issue } });
          }
        }
      }
      return output;
    })
    .meta({ description });
  mappingValues.set(schema, value);
  mappingValues.set(schema.in, value);
  return schema;
}
