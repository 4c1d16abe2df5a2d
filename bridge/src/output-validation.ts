/**
 * Judges structured content by a tool's own `outputSchema` (S37, B14).
 *
 * Supported are schemas of JSON Schema 2020-12 (also when no dialect is named), 2019-09 and draft-07, that compile whole
 * without fetching anything. Every other schema is ignored whole, never half enforced. `format` is an annotation, as
 * 2020-12 has it.
 *
 * One validator instance a schema, made on first use: instances that are shared mix up schemas with the same `$id`, and
 * compiling 10 000 of them at discovery takes seconds.
 * @module
 */
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describeError } from './errors.ts';
import type { JsonValue } from './host-services.ts';
import { isJsonObject } from './json-shape.ts';
import { cutText } from './model-text.ts';
import { runWithin } from './run-within.ts';
import { asDialectReads } from './schema-dialect.ts';

/** What judging one value gave. `unsupported` means: not judged, and why. */
export type OutputJudgement =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly detail: string }
  | { readonly kind: 'unsupported'; readonly detail: string };

/** Judges values by one schema. Never throws. */
export type OutputValidator = (value: unknown) => OutputJudgement;

/** Largest schema that is compiled, characters of JSON: compiling is code generation, and its cost grows with the text. */
export const OUTPUT_SCHEMA_MAX_CHARS = 262_144;

/** Longest time that compiling, or judging by a schema whose cost a server can drive up, may take, milliseconds. */
export const OUTPUT_VALIDATION_MAX_MS = 1_000;

/** Keywords whose cost can explode on chosen data: regular expressions, pairwise comparison, recursion. */
const COSTLY_KEYWORD = /"(?:pattern|patternProperties|uniqueItems|contains|\$ref|\$dynamicRef|\$recursiveRef)"\s*:/;

const AJV_OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  // Decimal steps are not exact in binary: 0.29 / 0.01 is 28.999…, and still a price. 1.155 is none.
  multipleOfPrecision: 9,
  // Own properties only: `constructor` and the like are data here (B15).
  ownProperties: true,
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
  logger: false,
};

const VALID: OutputJudgement = { kind: 'valid' };

/** Compiles a schema. A schema that is not supported gives a validator that says so, and why. */
export function createOutputValidator(schema: JsonValue): OutputValidator {
  let validate: ValidateFunction;
  let costly: boolean;
  try {
    const text = JSON.stringify(schema);
    if (text.length > OUTPUT_SCHEMA_MAX_CHARS) return unsupported(`it is longer than ${OUTPUT_SCHEMA_MAX_CHARS} characters`);
    if (text.includes('"$async"')) return unsupported('$async is no JSON Schema keyword');
    costly = COSTLY_KEYWORD.test(text);
    validate = runWithin(OUTPUT_VALIDATION_MAX_MS, () => compile(schema));
  } catch (error) {
    return unsupported(describeError(error));
  }
  return (value) => {
    try {
      const valid = costly ? runWithin(OUTPUT_VALIDATION_MAX_MS, () => validate(value)) : validate(value);
      return valid ? VALID : { kind: 'invalid', detail: describeFault(validate.errors) };
    } catch (error) {
      return { kind: 'unsupported', detail: describeError(error) };
    }
  };
}

function unsupported(detail: string): OutputValidator {
  const judgement: OutputJudgement = { kind: 'unsupported', detail };
  return () => judgement;
}

function compile(schema: JsonValue): ValidateFunction {
  if (typeof schema === 'boolean') return createAjv(undefined).compile(schema);
  if (!isJsonObject(schema)) throw new Error('it is neither an object nor a boolean');
  // Without the name of its dialect, which is chosen here; ajv would look it up among the meta-schemas that are not loaded.
  const { $schema: dialect, ...rest } = schema;
  const ajv = createAjv(dialect);
  return ajv.compile(asDialectReads(rest, ajv instanceof Ajv));
}

function createAjv(dialect: JsonValue | undefined): Ajv | Ajv2019 | Ajv2020 {
  if (dialect === undefined) return new Ajv2020(AJV_OPTIONS);
  const name = typeof dialect === 'string' ? dialect.replace(/^https?:\/\//, '').replace(/#$/, '') : undefined;
  if (name === 'json-schema.org/draft/2020-12/schema') return new Ajv2020(AJV_OPTIONS);
  if (name === 'json-schema.org/draft/2019-09/schema') return new Ajv2019(AJV_OPTIONS);
  if (name === 'json-schema.org/draft-07/schema') return new Ajv(AJV_OPTIONS);
  throw new Error('its $schema names a dialect that is not supported (2020-12, 2019-09 and draft-07 are)');
}

/** Longest path of a fault, in characters; a server chooses its parts. */
const PATH_MAX_CHARS = 200;

/** Where the first fault is and what is wrong there; never a value (S46). */
function describeFault(errors: readonly ErrorObject[] | null | undefined): string {
  const { instancePath, message } = { instancePath: '', message: 'does not match', ...errors?.[0] };
  const path = instancePath === '' ? 'the whole value' : instancePath;
  const place = path.length > PATH_MAX_CHARS ? `${cutText(path, PATH_MAX_CHARS)}…` : path;
  return `${place} ${cutText(message, PATH_MAX_CHARS)}`;
}
