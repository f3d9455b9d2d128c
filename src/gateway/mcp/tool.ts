import type { DescMessage, JsonObject } from '@bufbuild/protobuf';
import type { JsonSchemaType, JsonSchemaValidator, Tool } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { Caller } from '#contract/access/caller.ts';
import { guidanceOf, isOffered, type Operation, toolName } from '#contract/operation.ts';
import { type Descriptors, methodOf } from '#gateway/proto/descriptors.ts';
import { type Describe, inputSchema, type ObjectSchema, outputSchema } from './schema.ts';
import { type SharedField, sharedFields, sharedText } from './shared-fields.ts';
import { timeoutArgument, waitGuidance } from './wait.ts';

/** An operation as a tool. */
export interface OperationTool {
  readonly row: Operation;
  readonly input: DescMessage;
  /** The answer's message in its JSON form. */
  readonly output: DescMessage;
  readonly tool: Tool;
  /**
   * Validates arguments against the tool's listed schema, except for a watch's `timeoutSeconds`.
   */
  readonly fits: JsonSchemaValidator<JsonObject>;
}

/** The tools of a table, by name. */
export interface Toolbox {
  find(name: string): OperationTool | undefined;
  readonly names: readonly string[];
  /** The meanings of fields that several of an agent's tools share, which the tools then omit. Empty for a person. */
  sharedFieldsFor(caller: Caller): string;
  /** The tools that a caller may use, in the order of the table. */
  offeredTo(caller: Caller): Tool[];
}

/** Makes a tool from each operation, by its row alone. */
export function toolbox(rows: readonly Operation[], descriptors: Descriptors): Toolbox {
  const offers = new Map(
    rows.map((row) => {
      const tool = toolOf(row);
      const { input } = methodOf(descriptors.contract, row);
      const { output } = methodOf(descriptors.jsonAnswers, row);
      return [toolName(row), { row, input, output, tool, fits: lazyValidator(tool) }];
    }),
  );
  const shared = sharedFields(rows.filter(({ roles }) => roles.length > 0));
  const ofAgents = sharedText(shared);
  const forAgents = new Map(rows.map((row) => [row, toolForAgents(row, shared)]));
  return {
    find: (name) => offers.get(name),
    names: [...offers.keys()],
    sharedFieldsFor: ({ kind }) => (kind === 'person' ? '' : ofAgents),
    offeredTo: (caller) =>
      [...offers.values()]
        .filter(({ row }) => isOffered(row, caller))
        .map(({ row, tool }) => (caller.kind === 'person' ? tool : (forAgents.get(row) ?? tool))),
  };
}

const validators = new AjvJsonSchemaValidator();

/** A validator that is compiled on first use, because most tools are never called. */
function lazyValidator({ inputSchema: schema }: Tool): OperationTool['fits'] {
  let validator: OperationTool['fits'] | undefined;
  return (given) => {
    validator ??= validators.getValidator<JsonObject>(schema as JsonSchemaType);
    return validator(given);
  };
}

/** The tool of an operation: its description, schemas and annotations. */
export function toolOf(row: Operation, describe: Describe = (_name, meaning) => meaning): Tool {
  const schema = inputSchema(row.request, describe);
  return {
    name: toolName(row),
    description: [row.summary, guidanceOf(row), row.watch === undefined ? '' : waitGuidance].filter(Boolean).join(' '),
    inputSchema: row.watch === undefined ? schema : withTimeout(schema),
    outputSchema: outputSchema(row.response),
    annotations: hintsOf(row),
  };
}

/**
 * The annotations of a tool, without MCP's defaults: a tool writes and is not idempotent, and one that only reads is
 * neither destructive nor changes anything by a repeat.
 */
function hintsOf({ access, destructive, idempotent }: Operation): Tool['annotations'] {
  if (access === 'read') return { readOnlyHint: true };
  return {
    ...(destructive === true ? {} : { destructiveHint: false }),
    ...(idempotent ? { idempotentHint: true } : {}),
  };
}

/**
 * As `toolOf`, but without what is reserved for people, and as short as possible, because the list of tools takes room
 * in an agent's context.
 */
function toolForAgents({ peopleOnly, ...row }: Operation, shared: readonly SharedField[]): Tool {
  const { inputSchema: input, outputSchema: output, ...tool } = toolOf(row, shortly(row, shared));
  const leftOut = peopleOnly?.fields ?? [];
  return {
    ...tool,
    inputSchema: without(input as ObjectSchema, leftOut),
    outputSchema: without(output as ObjectSchema, leftOut),
  };
}

/**
 * The first sentence of a field's meaning, unless the tool's own text or the text on shared fields mentions the field.
 */
function shortly({ summary, guidance }: Operation, shared: readonly SharedField[]): Describe {
  const words = new Set(`${summary} ${guidance}`.match(/\w+/g));
  const known = new Set(shared.map(({ meaning }) => meaning));
  return (name, meaning) => (words.has(name) || known.has(meaning) ? undefined : meaning.replace(/(?<=\.) .*$/s, ''));
}

function without(schema: ObjectSchema, leftOut: readonly string[]): ObjectSchema {
  if (leftOut.length === 0) return schema;
  const fields = Object.entries(schema['properties'] as object).filter(([name]) => !leftOut.includes(name));
  return { ...schema, properties: Object.fromEntries(fields) };
}

function withTimeout(schema: ObjectSchema): ObjectSchema {
  return { ...schema, properties: { ...(schema['properties'] as object), ...timeoutArgument } };
}
