/**
 * Checks a canonical value against its definition's `output.schema`. Validators are compiled on first use, one Ajv
 * instance each (two schemas that share an `$id` must not share a validator), and live as long as the schema object.
 */
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject, JsonValue } from '../host-services.ts';

const options: Options = { strict: false, validateFormats: false, logger: false, allErrors: false };

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

function compile(schema: JsonObject): ValidateFunction {
  const dialect = schema['$schema'];
  const ajv = typeof dialect === 'string' && dialect.includes('draft-07') ? new Ajv(options) : new Ajv2020(options);
  return ajv.compile(schema);
}
