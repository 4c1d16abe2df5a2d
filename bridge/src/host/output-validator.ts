/**
 * Checks a canonical value against its definition's `output.schema`. Validators are compiled on first use, one Ajv
 * instance each (two schemas that share an `$id` must not share a validator), and live as long as the schema object.
 */
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject, JsonValue } from '../host-services.ts';

const options: Options = { strict: false, validateFormats: false, logger: false, allErrors: false };

/** Of the instance that compiles a definition's schema: whether it is a schema is judged before, by an instance that lasts. */
const unjudged: Options = { ...options, validateSchema: false };

/** What contradicts the schema, or `undefined` when the value fits. Throws when the schema itself cannot be compiled. */
export type OutputValidator = (schema: JsonObject, value: JsonValue) => string | undefined;

/** A validator with a cache of its own. Dialects: JSON Schema 2020-12, and draft-07 where `$schema` says so. */
export function createOutputValidator(): OutputValidator {
  const compiled = new WeakMap<JsonObject, ValidateFunction>();
  return (schema, value) => {
    let validate = compiled.get(schema);
    if (validate === undefined) {
      validate = compile(schema);
      compiled.set(schema, validate);
    }
    if (validate(value)) return undefined;
    const { instancePath, message } = { instancePath: '', message: 'is wrong', ...validate.errors?.[0] };
    return `${instancePath === '' ? 'the value' : instancePath} ${message}`;
  };
}

/**
 * Whether a schema is one is judged by the schema of its dialect, which takes fifty times as long to compile as most
 * schemas: once a process, not once a tool.
 */
const judges = { draft07: once(() => new Ajv(options)), draft2020: once(() => new Ajv2020(options)) };

function compile(schema: JsonObject): ValidateFunction {
  const dialect = schema['$schema'];
  const isDraft07 = typeof dialect === 'string' && dialect.includes('draft-07');
  // Throws for what is no schema.
  void (isDraft07 ? judges.draft07() : judges.draft2020()).validateSchema(schema, true);
  return (isDraft07 ? new Ajv(unjudged) : new Ajv2020(unjudged)).compile(schema);
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
