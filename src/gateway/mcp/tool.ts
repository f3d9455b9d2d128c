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
export interface Offer {
  readonly row: Operation;
  readonly input: DescMessage;
  /** As it is written in JSON. */
  readonly output: DescMessage;
  readonly tool: Tool;
  /**
   * Holds arguments against the schema that the tool is listed with; the time that a watch waits is looked at on its
   * own.
   */
  readonly fits: JsonSchemaValidator<JsonObject>;
}

/** The tools of a table, by name. */
export interface Toolbox {
  find(name: string): Offer | undefined;
  readonly names: readonly string[];
  /** What the fields mean that several of an agent's tools have: with each tool it is left out. Empty for a person. */
  sharedFieldsFor(caller: Caller): string;
  /** What a caller may use, in the order of the table. */
  offeredTo(caller: Caller): Tool[];
}

/** Makes one tool of each operation. Whatever is particular to one of them is in its row. */
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

/** A validator that is made when it is first needed: most tools are never called. */
function lazyValidator({ inputSchema: schema }: Tool): Offer['fits'] {
  let validator: Offer['fits'] | undefined;
  return (given) => {
    validator ??= validators.getValidator<JsonObject>(schema as JsonSchemaType);
    return validator(given);
  };
}

/**
 * How an operation is shown to a client: what it does, when to use it, what it takes and gives, and what it may change.
 */
export function toolOf(row: Operation, describe: Describe = (_name, meaning) => meaning): Tool {
  const schema = inputSchema(row.request, describe);
  return {
    name: toolName(row),
    description: [row.summary, guidanceOf(row), ...(row.watch === undefined ? [] : [waitGuidance])].join(' '),
    inputSchema: row.watch === undefined ? schema : withTimeout(schema),
    outputSchema: outputSchema(row.response),
    annotations: hintsOf(row),
  };
}

/**
 * What a tool may change. What MCP takes for granted is left out: that a tool writes and is not idempotent, and of one
 * that only reads both that it destroys nothing and that a repeat does no more.
 */
function hintsOf({ access, destructive, idempotent }: Operation): Tool['annotations'] {
  if (access === 'read') return { readOnlyHint: true };
  return {
    ...(destructive === true ? {} : { destructiveHint: false }),
    ...(idempotent ? { idempotentHint: true } : {}),
  };
}

/**
 * As `toolOf`, without what is for people alone, and no longer than it must be: a list of tools takes room in an
 * agent's context.
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
 * The first sentence of what a field means, if neither the tool's own text speaks of the field nor that on shared ones.
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
