import { mayHoldTokens } from '#actors/registry/agent/agent-standing.ts';
import type { Caller, RoleName } from '#contract/access/caller.ts';
import type { AgentRole } from '#contract/agent/agent.ts';
import type { Clock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';
import type { Store } from '#store/store.ts';
import type { Tables } from '#store/tables.ts';

const roleNames: Readonly<Record<AgentRole, RoleName>> = {
  AGENT_ROLE_UNSPECIFIED: 'implementer',
  AGENT_ROLE_IMPLEMENTER: 'implementer',
  AGENT_ROLE_REVIEWER: 'reviewer',
  AGENT_ROLE_ORCHESTRATOR: 'orchestrator',
};

/** Maximum number of cached callers. */
const max = 10_000;
/**
 * How long a caller is cached, in milliseconds. After that, a credential that another registry ended is refused here
 * too, even if the hint was lost.
 */
const rememberedMs = 900;

/** A cached caller, and when the entry expires, in milliseconds since 1970. */
interface CallerEntry {
  readonly caller: Caller;
  readonly until: number;
}

/**
 * Identifies the holder of a credential. A cached caller is not looked up again, unless
 * this registry has written since.
 */
export class Callers {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #known = new Map<string, CallerEntry>();
  /** Whether agents may hold tokens, each by its version. */
  readonly #judged = new Map<string, { readonly version: number; readonly isEntitled: boolean }>();
  #writes = 0;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Returns the holder of a credential, the SHA-256 of a token in hex. An agent's token is valid until the agent is
   * archived or deleted, a browser's until it signs out or its session expires.
   * @throws UNAUTHENTICATED when the credential is unknown or revoked
   */
  async of(credential: string): Promise<Caller> {
    if (this.#store.writes !== this.#writes || this.#known.size >= max) this.#known.clear();
    this.#writes = this.#store.writes;
    const known = this.#known.get(credential);
    const left = (known?.until ?? 0) - this.#clock.now();
    if (known !== undefined && left > 0 && left <= rememberedMs) return known.caller;
    // Read the counter before the database: the read may miss a write that happens meanwhile.
    const { writes } = this.#store;
    const latest = this.#clock.now() + rememberedMs;
    const found = await this.#store.read((tables) => find(tables, credential));
    if (writes === this.#writes) this.#known.set(credential, { ...found, until: Math.min(found.until, latest) });
    return found.caller;
  }

  /** Returns the credentials that have ended. Takes a few reads, however many credentials there are. */
  async endedOf(credentials: readonly string[]): Promise<string[]> {
    if (credentials.length === 0) return [];
    return this.#store.read(async (tables) => {
      const holders = await tables.credentials.findAll(credentials);
      const others = credentials.filter((credential) => !holders.has(credential));
      const signedIn = others.length === 0 ? new Set() : await tables.sessions.findAll(others);
      const entitled = await this.#entitled(tables, new Set([...holders.values()].filter((agent) => agent !== null)));
      return credentials.filter((credential) => {
        const holder = holders.get(credential);
        return holder === undefined ? !signedIn.has(credential) : holder !== null && !entitled.has(holder);
      });
    });
  }

  /** Returns which of the agents may hold tokens. Reads only agents that have changed since the last query. */
  async #entitled({ agents }: Tables, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    if (ids.size === 0) return ids;
    const versions = await agents.versionsOf([...ids]);
    const moved = [...versions].filter(([id, version]) => this.#judged.get(id)?.version !== version);
    if (this.#judged.size + moved.length > max) this.#judged.clear();
    for (const agent of await agents.findAll(moved.map(([id]) => id))) {
      this.#judged.set(agent.id, { version: agent.version, isEntitled: mayHoldTokens(agent) });
    }
    return new Set([...versions.keys()].filter((id) => this.#judged.get(id)?.isEntitled === true));
  }
}

async function find({ credentials, sessions, agents }: Tables, credential: string): Promise<CallerEntry> {
  const known = await credentials.find(credential);
  if (known === undefined) {
    const until = await sessions.expiryOf(credential);
    if (until !== undefined) return { caller: { kind: 'person' }, until };
    throw new Failure(
      'CREDENTIAL_UNKNOWN',
      'The token is not known: use the one in operator.token of the state folder, or SERVICE_TOKEN of your own pane',
    );
  }
  const until = Number.POSITIVE_INFINITY;
  if (known.agent == null) return { caller: { kind: 'person' }, until };
  const agent = await agents.find(known.agent);
  if (agent === undefined || !mayHoldTokens(agent)) {
    throw new Failure('CREDENTIAL_ENDED', 'The token was revoked: its agent is archived or deleted');
  }
  const { id: agentId, role, parentAgentId } = agent;
  const caller: Caller = {
    kind: 'agent',
    agentId,
    role: roleNames[role],
    ...(parentAgentId == null ? {} : { parentAgentId }),
  };
  return { caller, until };
}
