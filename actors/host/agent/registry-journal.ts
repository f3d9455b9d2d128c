import type { z } from 'zod';
import type { ConfirmedDigests } from '#actors/host/reading/harness-catalogue.ts';
import type { Journal } from '#actors/loop.ts';
import type { HostLine } from '#bus/host-line/host-line.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { Certificates } from '#contract/wire/host-joining.ts';
import type { HostProfile } from '#contract/wire/host-profile.ts';
import { registryCalls } from '#contract/wire/registry.ts';

const timeoutMs = 10_000;

interface RegistryCall<Request extends z.ZodType, Response extends z.ZodType> {
  readonly verb: string;
  readonly request: Request;
  readonly response: Response;
}

/** A host's client of the registry: its agents' journal, over the bus. */
export interface RegistryClient extends Journal {
  /** As `Journal.load`. With `acts`, refused while this host counts as silent. */
  load(agentId: string, options?: { readonly acts?: boolean }): Promise<AgentRecord>;
  /** Reports the host's state; returns the confirmations of people for it. */
  beat(
    host: z.infer<typeof registryCalls.beat.request>,
  ): Promise<Pick<z.infer<typeof registryCalls.beat.response>, 'confirmed' | 'nextMs'>>;
  /**
   * The agents of the host whose record changed since the cursor, the next cursor, whether there are more, and the
   * agents that it no longer has.
   * @throws OUT_OF_RANGE when the cursor is of another log
   */
  changes(hostId: string, cursor: string): Promise<z.output<typeof registryCalls.changes.response>>;
  /**
   * Which of these families still have agents on this host (`left`), which had some here and have none left anywhere
   * (`gone`), the installation's id, and what is confirmed for this host.
   */
  families(
    families: readonly string[],
  ): Promise<{ installation: string; left: string[]; gone: string[]; confirmed: ConfirmedDigests }>;
  /** Reports that a script run begins, or its output so far and how it ended. */
  run(run: z.input<typeof registryCalls.run.request>): Promise<void>;
  /** Reports that the line of a doorbell was typed; returns the agent's new record. */
  rung(agentId: string, epoch: number, bellId: string): Promise<AgentRecord>;
  /** Reports that the base of an agent's reviews has moved; returns whether to keep watching it. */
  baseMoved(agentId: string): Promise<boolean>;
  /**
   * Requests the permit of a ticket. Returns the agent's record, and for how many
   * milliseconds from this request the permit is valid. @throws UNAVAILABLE when the caller no longer waits
   */
  permit(ticket: string): Promise<{ record: AgentRecord; leftMs: number }>;
  /** A piece of the package of an agent that moves to this host, as Base64; empty at its end. */
  piece(agentId: string, epoch: number, offset: number): Promise<string>;
  /** Reports that this host has cleaned up after an agent that left, and what is still there. */
  departed(id: string, remains: readonly string[]): Promise<void>;
  /** New certificates for the keys that this host joined with. @throws HOST_REMOVED; HOST_NOT_JOINED */
  renew(): Promise<Certificates>;
  /** The profile of an agent, with the values that the registry stores; undefined if it has none. */
  profile(agentId: string, epoch: number): Promise<HostProfile | undefined>;
  /** A new token of the agent's; undefined if it has ended. */
  token(agentId: string, epoch: number, purpose: TokenPurpose): Promise<string | undefined>;
}

/** The purpose of a token: a window that is about to be opened, or a script. */
export type TokenPurpose = z.infer<typeof registryCalls.token.request>['purpose'];

/** Calls the registry over the host's connection. Failures are the registry's own, or those of the connection. */
export function registryClient(line: HostLine): RegistryClient {
  const ask = async <Q extends z.ZodType, A extends z.ZodType>(
    call: RegistryCall<Q, A>,
    request: z.input<Q>,
    registry?: string,
  ): Promise<z.output<A>> => parseRequest(call.response, await line.ask(call.verb, request, timeoutMs, registry));
  return {
    load: (agentId, { acts = false } = {}) => ask(registryCalls.load, { agentId, ...(acts && { acts }) }),
    commit: (change) => ask(registryCalls.commit, change),
    beat: (host) => ask(registryCalls.beat, host),
    changes: (hostId, cursor) => ask(registryCalls.changes, { hostId, cursor }),
    families: (families) => ask(registryCalls.families, { families: [...families] }),
    run: async (run) => {
      await ask(registryCalls.run, run);
    },
    rung: (agentId, epoch, bellId) => ask(registryCalls.rung, { agentId, epoch, bellId }),
    baseMoved: async (agentId) => (await ask(registryCalls.baseMoved, { agentId })).isWatched,
    piece: async (agentId, epoch, offset) => (await ask(registryCalls.piece, { agentId, epoch, offset })).data,
    departed: async (id, remains) => {
      await ask(registryCalls.departed, { id, remains: [...remains] });
    },
    renew: () => ask(registryCalls.renew, {}),
    permit: (ticket) => ask(registryCalls.permit, { ticket }, registryOf(ticket)),
    profile: async (agentId, epoch) => (await ask(registryCalls.profile, { agentId, epoch })).profile,
    token: async (agentId, epoch, purpose) => (await ask(registryCalls.token, { agentId, epoch, purpose })).token,
  };
}

/** The registry that issued a ticket; undefined for an older registry, whose tickets do not name it. */
function registryOf(ticket: string): string | undefined {
  const [registry, ...rest] = ticket.split('.');
  return rest.length === 0 ? undefined : registry;
}

/** Whether the registry refuses a cursor because its log does not continue from there. */
export function isDatabaseReplaced(error: unknown): boolean {
  return error instanceof Failure && (error.code === 'out_of_range' || error.code === 'invalid_argument');
}
