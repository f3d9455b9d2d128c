import type { z } from 'zod';
import type { Caller, RoleName } from '#contract/access/caller.ts';

/** One row of the table of operations: every channel is made from it. */
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
  /** Whether a repeat of the same call changes nothing more. */
  readonly idempotent: boolean;
  /** Whether it takes something away that it cannot bring back. */
  readonly destructive?: true;
  /**
   * Whether an agent's CLI asks a person before it calls the tool, unless the workflow says otherwise: it starts,
   * steers or ends a CLI, or writes files of the checkout.
   */
  readonly asks?: true;
  /** Whether what it writes is private to its caller, so that no log mentions it. */
  readonly private?: true;
  /** Whether its answer holds a secret, which only the caller gets. */
  readonly secret?: true;
  /** Agent roles it is offered to. A person is offered everything. */
  readonly roles: readonly RoleName[];
  /**
   * Fields of both messages that are for people alone, and what to know of them: agents are not shown them, and may
   * give none.
   */
  readonly peopleOnly?: { readonly fields: readonly string[]; readonly guidance: string };
  /**
   * Set on a watch. Asked once it answers at once with what moved since the request's `cursor` and the next `cursor`;
   * a channel that streams asks again whenever a fact whose kind starts with this prefix is published (any fact, if the
   * request's field `more` names kinds), or the bell rings of the pane of the request's agent.
   */
  readonly watch?: FactWatch | { readonly bell: 'pane' };
}

/** A watch of what facts announce. */
export interface FactWatch {
  readonly facts: string;
  readonly more?: string;
  /**
   * Fields of the request that leave of the response's list `of` only items in which the field of the same name has the
   * same value; one that is empty leaves all.
   */
  readonly narrowing?: { readonly of: string; readonly by: readonly string[] };
  /**
   * Who gets the same answer to the same request: all callers it is offered to; or all that see everything, and all
   * others, except for what is in the response's list `rows` of agents that are themselves or children of theirs. Unset:
   * each caller gets its own, and only facts about the caller, or the request's `agentId`, change it.
   */
  readonly shared?: 'all' | { readonly rows: string };
}

/** Keeps the request's and response's types while checking that a row is complete. */
export function operation<Request extends z.ZodType, Response extends z.ZodType>(
  row: Operation<Request, Response>,
): Operation<Request, Response> {
  return row;
}

/** When to use an operation, as people read it. */
export function guidanceOf({ guidance, peopleOnly }: Operation): string {
  return peopleOnly === undefined ? guidance : `${guidance} ${peopleOnly.guidance}`;
}

/** `agent.v1.AgentService/CreateAgent`, the HTTP path without its leading slash. */
export function pathOf(row: Operation): string {
  return `${row.package}.${row.service}/${row.method}`;
}

/** `create_agent`, the MCP tool's name. */
export function toolName(row: Operation): string {
  return row.method.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** `create-agent`, the command's name under `muster rpc`. */
export function commandName(row: Operation): string {
  return toolName(row).replaceAll('_', '-');
}

/** Whether an agent's CLI asks a person before it calls an operation, unless the workflow says otherwise. */
export function isAsked(row: Operation): boolean {
  return row.asks === true;
}

/** Whether an operation is offered to a caller: everything is to a person, and to an agent what its role is given. */
export function isOffered(row: Operation, caller: Caller): boolean {
  return caller.kind === 'person' || row.roles.includes(caller.role);
}
