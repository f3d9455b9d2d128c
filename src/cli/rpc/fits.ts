import type { Shape } from './listed-operation.ts';

/** Keywords that constrain nothing, or that the checks by type cover. */
const ignored = new Set(['type', 'title', 'description', 'format', 'properties', 'required', 'additionalProperties']);

/**
 * Whether a value certainly matches a JSON Schema. Unsupported keywords count as a mismatch. A mismatch only means that
 * the contract's own schema must check the value.
 */
export function fits(value: unknown, shape: Shape): boolean {
  const hasType = types[String(shape['type'])]?.(value, shape) ?? shape['enum'] !== undefined;
  return (
    hasType && Object.entries(shape).every(([keyword, limit]) => ignored.has(keyword) || keeps(value, keyword, limit))
  );
}

const types: Readonly<Record<string, (value: unknown, shape: Shape) => boolean>> = {
  // Many fields refuse white space alone, which a JSON Schema does not say.
  string: (value) => typeof value === 'string' && (value === '' || value.trim() !== ''),
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isSafeInteger(value),
  array: (value) => Array.isArray(value),
  object: (value, shape) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && hasFields(value, shape),
};

function hasFields(value: object, shape: Shape): boolean {
  const fields = (shape['properties'] ?? {}) as Readonly<Record<string, Shape>>;
  const needed = (shape['required'] ?? []) as readonly string[];
  return (
    needed.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, one]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return field !== undefined && fits(one, field);
    })
  );
}

function keeps(value: unknown, keyword: string, limit: unknown): boolean {
  switch (keyword) {
    case 'enum':
      return (limit as readonly unknown[]).includes(value);
    case 'minLength':
      return [...String(value)].length >= Number(limit);
    case 'maxLength':
      return [...String(value)].length <= Number(limit);
    case 'pattern':
      return new RegExp(String(limit)).test(String(value));
    case 'minimum':
      return Number(value) >= Number(limit);
    case 'maximum':
      return Number(value) <= Number(limit);
    case 'minItems':
      return (value as readonly unknown[]).length >= Number(limit);
    case 'maxItems':
      return (value as readonly unknown[]).length <= Number(limit);
    case 'items':
      return (value as readonly unknown[]).every((one) => fits(one, limit as Shape));
    default:
      return false;
  }
}
