import { z } from 'zod';
import { enumerationName, messageMeta, scalarMeta } from '#contract/message.ts';
import { commandName, type Operation, pathOf, toolName } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';

const opening = `# The operations

One table makes every channel: each operation below is an HTTP call (\`POST {base_url}/<path>\` with a JSON body), an MCP tool
and a command (\`muster rpc <command>\`). A person is offered everything; agents what their role is offered. A refusal is
\`{code, message}\` everywhere: as the body over HTTP, in \`structuredContent\` beside \`isError\` over MCP. This page is made
from that table by \`npm run docs\`.
`;

/** The page \`docs/reference.md\`: every operation with its names on each channel, its fields and who may use it. */
export function referencePage(): string {
  return [opening, ...operations.map(chapter)].join('\n');
}

function chapter(row: Operation): string {
  const offered = row.roles.length > 0 ? `people and agents (${row.roles.join(', ')})` : 'people';
  const nature = [row.access === 'read' ? 'read-only' : 'writes', row.idempotent ? 'idempotent' : 'not idempotent'];
  if (row.watch) nature.push('a stream; as a tool it waits for news, for `timeoutSeconds` at most');
  return [
    `## ${row.method}`,
    '',
    `${row.summary} ${row.guidance}`,
    '',
    `\`${pathOf(row)}\` · \`${toolName(row)}\` · \`muster rpc ${commandName(row)}\` · ${nature.join(', ')} · offered to ${offered}`,
    '',
    ...fieldTable(row.request, 'request'),
    ...fieldTable(row.response, 'response'),
    '```json',
    JSON.stringify({ method: 'tools/call', params: { name: toolName(row), arguments: exampleOf(row.request) } }),
    '```',
    '',
  ].join('\n');
}

/** A request with what it must have. */
function exampleOf(request: z.ZodType): Record<string, unknown> {
  const required = Object.entries((request as z.ZodObject).shape).filter(([, field]) => field.type !== 'optional');
  return Object.fromEntries(required.map(([name, field]) => [name, exampleValue(name, field as z.ZodType)]));
}

function exampleValue(name: string, field: z.ZodType): unknown {
  if (field.type === 'array') return [exampleValue(name, (field as z.ZodArray<z.ZodType>).element)];
  if (field instanceof z.ZodEnum) return field.options[0];
  return name.endsWith('Id') ? `${idPrefixes[name] ?? 'id'}_…` : '…';
}

const idPrefixes: Readonly<Record<string, string>> = { agentId: 'agt', workflowId: 'wfl' };

function fieldTable(schema: z.ZodType, title: string): string[] {
  const meta = messageMeta(schema);
  if (!meta || Object.keys(meta.numbers).length === 0) return [`The ${title} has no fields.`, ''];
  const { shape } = schema as z.ZodObject;
  const rows = Object.entries(meta.numbers).map(([name, number]) => {
    const field = shape[name] as z.ZodType;
    return `| ${name} | ${number} | ${typeName(field)} | ${field.type === 'optional' ? '' : 'yes'} |`;
  });
  return [`| ${title} field | number | type | required |`, '|---|---|---|---|', ...rows, ''];
}

function typeName(schema: z.ZodType): string {
  if (schema.type === 'optional') return typeName((schema as z.ZodOptional<z.ZodType>).unwrap());
  if (schema.type === 'array') return `list of ${typeName((schema as z.ZodArray<z.ZodType>).element)}`;
  const named = enumerationName(schema) ?? messageMeta(schema)?.fullName;
  if (named) return named.slice(named.lastIndexOf('.') + 1);
  if (schema.type === 'number') return 'int32';
  if (schema.type === 'boolean') return 'bool';
  return scalarMeta(schema)?.scalar ?? 'string';
}
