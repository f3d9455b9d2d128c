import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { withinProcessorTime } from '#world/concurrency/processor-time.ts';

/** How long reading a schema, or checking a value, may take, in milliseconds of the processor: a schema may hold slow expressions. */
const maxMs = 500;
/** How many faults are listed, and how much of what each one names, in characters. */
const [maxFaults, maxNamed] = [10, 300];

/** A fault of a value: its place as a JSON pointer, empty for the whole value, and what is wrong with it. */
export interface SchemaFault {
  readonly at: string;
  readonly what: string;
}

/** The result of a check. `late`: it took too long, or the value is nested too deeply. */
export type Fit = { readonly faults: readonly SchemaFault[] } | { readonly late: true };

/**
 * Why a text cannot be used as a JSON Schema of draft 7 or 2020-12; undefined if it can. References to other
 * documents are not followed.
 */
export function whyNoSchema(text: string): string | undefined {
  try {
    return withinProcessorTime(maxMs, () => compiled(text)) === undefined ? 'takes too long to read' : undefined;
  } catch (error) {
    return error instanceof SyntaxError ? 'is not JSON' : `is not a JSON Schema: ${messageOf(error)}`;
  }
}

/** Checks a value against a schema for which `whyNoSchema` finds nothing. @throws RangeError when it is nested too deeply */
export function fitOf(schema: string, value: unknown): Fit {
  const validate = withinProcessorTime(maxMs, () => compiled(schema));
  const fits = validate && withinProcessorTime(maxMs, () => validate(value));
  if (validate === undefined || fits === undefined) return { late: true };
  return { faults: fits ? [] : (validate.errors ?? []).slice(0, maxFaults).map(toFault) };
}

/** @throws when it is not JSON, or no schema */
function compiled(text: string): ValidateFunction {
  const schema: unknown = JSON.parse(text);
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema)))
    throw new Error('it is neither an object nor a boolean');
  const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
  const validate = (isDraft7(schema) ? new Ajv(options) : new Ajv2020(options)).compile(schema);
  // Its checks would come too late: as promises, which are true, and whose rejections nobody awaits.
  if ('$async' in validate) throw new Error('it is asynchronous');
  return validate;
}

function isDraft7(schema: unknown): boolean {
  return JSON.stringify(schema).includes('"$schema":"http://json-schema.org/draft-07/schema');
}

function toFault({ instancePath, message = 'does not fit', params }: ErrorObject): SchemaFault {
  const named = [params['allowedValues'], params['additionalProperty']].find((one) => one !== undefined);
  if (named === undefined) return { at: instancePath.slice(0, maxNamed), what: message.slice(0, maxNamed) };
  return { at: instancePath.slice(0, maxNamed), what: `${message}: ${cut(JSON.stringify(named))}` };
}

function cut(text: string): string {
  return text.length > maxNamed ? `${text.slice(0, maxNamed)}…` : text;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
