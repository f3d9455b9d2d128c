import { z } from 'zod';
import { messageMeta } from '#contract/message.ts';
import { commandName, guidanceOf, type Operation, pathOf, toolName } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { fieldsOf } from './field.ts';
import type { ListedOperation, Shape } from './listed-operation.ts';

/** The content of `operations.json`: the table of operations for the command line, one operation per line. */
export function operationsFile(): string {
  return `[\n${operations.map((row) => JSON.stringify(toListed(row))).join(',\n')}\n]\n`;
}

function toListed(row: Operation): ListedOperation {
  const { service, summary, access, idempotent, destructive, roles, watch } = row;
  return {
    ...{ path: pathOf(row), command: commandName(row), tool: toolName(row) },
    ...{ service, summary, guidance: guidanceOf(row), access, idempotent, roles },
    ...(destructive && { destructive }),
    ...(watch && { streams: true }),
    fields: fieldsOf(row.request),
    shape: shapeOf(row.request),
  };
}

/** A request's JSON Schema, whose messages allow no unknown fields. */
function shapeOf(request: z.ZodType): Shape {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(request, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (messageMeta(zodSchema as unknown as z.ZodType) !== undefined) jsonSchema.additionalProperties = false;
    },
  });
  return shape;
}
