import type { z } from 'zod';
import type { Caller, RoleName } from '#contract/access/caller.ts';

/** One row of the table of operations, from which every channel is generated. */
export interface Operation<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  /** Package and version, such as `agent.v1`. */
  readonly package: string;
  /** Service name, such as `AgentService`. */
  readonly service: string;
  /** Method in PascalCase, such as `CreateAgent`. */
  readonly method: string;
  /** One line: what it does. */
  readonly summary: string;
  /** When to use it, what is refused, and what to do then. */
  readonly guidance: string;
  readonly request: Request;
  readonly response: Response;
  readonly access: 'read' | 'write';
  /** Whether repeating a call changes nothing further. */
  readonly idempotent: boolean;
  /** Whether it removes something irrecoverably. */
  readonly destructive?: true;
  /**
   * Whether an agent's CLI asks a person before it calls the tool, unless the workflow pre-approves it: the operation
   * starts, steers or ends a CLI, or writes files of the checkout.
   */
  readonly asks?: true;
  /** Whether what it writes is private to its caller, so that no log mentions it. */
  readonly private?: true;
  /** Whether its answer contains a secret, which only the caller may see. */
  readonly secret?: true;
  /** Whether its request may contain a secret, which the bus carries only sealed. */
  readonly takesSecret?: true;
  /**
   * Whether a field that its messages do not have is refused also where it is ignored otherwise, for newer clients: what
   * it was to narrow would be wider without it.
   */
  readonly refusesUnknownFields?: true;
  /** The agent roles that may call it. A person may call everything. */
  readonly roles: readonly RoleName[];
  /**
   * Fields of both messages that are reserved for people, which agents do not see and may not set; and guidance that
   * agents’ tools omit, because it is about these or can be missed: the list of tools takes room in their context.
   */
  readonly peopleOnly?: { readonly fields: readonly string[]; readonly guidance: string };
  /**
   * Set on a watch. A single call answers immediately with what changed since the request's `cursor`, and the next
   * `cursor`. A streaming channel repeats the call whenever a fact is published whose kind starts with `facts` (or any
   * fact, if the request sets the field that `more` names), or when the pane of the request's agent changes.
   */
  readonly watch?: FactWatch | { readonly bell: 'pane' };
}

/** A watch that facts trigger. */
export interface FactWatch {
  /** The prefix of the kinds of facts that trigger it. */
  readonly facts: string;
  /** The request's field that lists further kinds. */
  readonly more?: string;
  /** The request's field that lists agents: if it is set, only facts about these trigger the watch. */
  readonly about?: string;
  /**
   * Fields of the request that filter the response's list `of`: an item stays only if its field of the same name has
   * the same value. An empty field filters nothing.
   */
  readonly narrowing?: { readonly of: string; readonly by: readonly string[] };
  /**
   * Which callers get the same answer to the same request, so that the gateway reads it once for them.
   * - `all`: every caller.
   * - `{ rows, facts }`: all callers that see everything share one answer, and all others share another. The rows of a caller's
   *   own agent and its children, in the response's list `rows`, are read for each caller. A row may be sent again
   *   though it has not changed, but nothing in the list `facts`. The response's field `more` says whether
   *   the next answer follows at once.
   * - Unset: each caller has its own answer, which only facts about the caller or the request's `agentId` change.
   */
  readonly shared?: 'all' | { readonly rows: string; readonly facts: string };
}

/** Checks that a row is complete, and keeps the types of its request and response. */
export function operation<Request extends z.ZodType, Response extends z.ZodType>(
  row: Operation<Request, Response>,
): Operation<Request, Response> {
  return row;
}

/** The guidance for people, which covers the fields reserved for them. */
export function guidanceOf({ guidance, peopleOnly }: Operation): string {
  return [guidance, peopleOnly?.guidance ?? ''].filter((text) => text !== '').join(' ');
}

/** The HTTP path without its leading slash, such as `agent.v1.AgentService/CreateAgent`. */
export function pathOf(row: Operation): string {
  return `${row.package}.${row.service}/${row.method}`;
}

/** The name of the MCP tool, such as `create_agent`. */
export function toolName(row: Operation): string {
  return row.method.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** The name under `muster rpc`, such as `create-agent`. */
export function commandName(row: Operation): string {
  return toolName(row).replaceAll('_', '-');
}

/** Whether an agent's CLI asks a person before it calls the operation, unless the workflow pre-approves it. */
export function isAsked(row: Operation): boolean {
  return row.asks === true;
}

/** Whether a caller may call an operation: a person may call each, an agent those offered to its role. */
export function isOffered(row: Operation, caller: Caller): boolean {
  return caller.kind === 'person' || row.roles.includes(caller.role);
}
