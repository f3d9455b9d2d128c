import { z } from 'zod';
import { enumerationName, messageMeta, scalarMeta } from '#contract/message.ts';
import { elementOf } from '#contract/parse/declared-type.ts';

/** The fields of a message as a table: number, name, type, limits, whether reserved for people, and meaning. */
export function fieldTable(message: z.ZodType, title: string, peopleOnly: readonly string[] = []): string[] {
  const { numbers = {}, meanings = {} } = messageMeta(message) ?? {};
  const { shape } = message as z.ZodObject;
  if (Object.keys(numbers).length === 0) return [`No fields in the ${title}.`, ''];
  const rows = Object.entries(numbers).map(([name, number]) => {
    const field = shape[name] as z.ZodType;
    const rules = [...(peopleOnly.includes(name) ? ['for people only'] : []), ...rulesOf(field)];
    return `| ${name} | ${number} | ${typeOf(field)} | ${rules.join('; ')} | ${inCell(meanings[name] ?? '')} |`;
  });
  return [`| ${title} | number | type | rules | meaning |`, '|---|---|---|---|---|', ...rows, ''];
}

/** A name within its package, such as `AgentRow`. */
export function shortName(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf('.') + 1);
}

/** A text for a cell of a table. */
function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function typeOf(field: z.ZodType): string {
  const bare = field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field;
  if (bare instanceof z.ZodArray) return `list of ${typeOf(bare.element as z.ZodType)}`;
  const named = enumerationName(bare) ?? messageMeta(bare)?.fullName;
  if (named !== undefined) return `[${shortName(named)}](messages.md#${shortName(named).toLowerCase()})`;
  if (bare.type === 'number') return bare instanceof z.ZodNumberFormat ? 'int32' : 'double';
  return bare.type === 'boolean' ? 'bool' : (scalarMeta(bare)?.scalar ?? 'string');
}

function rulesOf(field: z.ZodType): string[] {
  const bare = field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field;
  const required = field instanceof z.ZodOptional ? [] : ['required'];
  const presence = scalarMeta(bare)?.explicitPresence ? ['false and unset differ'] : [];
  const items = bare instanceof z.ZodArray ? limits(bare) : [];
  return [...required, ...presence, ...items, ...limits(elementOf(field))];
}

/** The limits of a value beyond its type. Named types are described under their own heading. */
function limits(schema: z.ZodType): string[] {
  if (messageMeta(schema) !== undefined || enumerationName(schema) !== undefined) return [];
  if (scalarMeta(schema)?.scalar !== undefined) return [];
  const { maxLength, pattern, enum: values, minItems, maxItems } = z.toJSONSchema(schema);
  return [
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(pattern === undefined ? [] : [`matches \`${pattern.replaceAll('|', '\\|')}\``]),
    ...(values === undefined ? [] : [`one of ${values.map((value) => `\`${value}\``).join(', ')}`]),
    ...(minItems === undefined ? [] : [`at least ${minItems}`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} of them`]),
  ];
}
