import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { askHost } from '#actors/registry/host/host-call.ts';
import { isLost, isOnline } from '#actors/registry/host/online.ts';
import { candidatesAmong, listed, placementOf } from '#actors/registry/placement/host-fit.ts';
import { HostRoom } from '#actors/registry/placement/host-room.ts';
import { checkDirectory } from '#actors/registry/placement/placement.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredRoundPackage } from '#store/departure/round-package-entity.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { MoveScope } from './move-scope.ts';

/** The agent to move, and its destination. */
export interface MoveRequest {
  readonly agentId: string;
  readonly host?: string | undefined;
  readonly dir?: string | undefined;
  /** Whether it moves with its last round, because its host is lost. */
  readonly fromLastRound?: boolean | undefined;
}

/** A host that can take an agent. */
export interface Target {
  readonly host: StoredHost;
  /** The directory there. */
  readonly cwd: string;
  /** Commits that its repository has. */
  readonly known: readonly string[];
  readonly notCarried: readonly string[];
  /** The package to move, if the agent's host is lost. */
  readonly round?: StoredRoundPackage;
}

/**
 * The host that an agent moves to: the named one, or the one with the fewest agents of those that can take it. Both
 * hosts are asked, and nothing changes there.
 * @throws FAILED_PRECONDITION when its work cannot be carried, or no host can take it, with the reason of each
 */
export async function chooseTarget(scope: MoveScope, agent: StoredAgent, request: MoveRequest): Promise<Target> {
  if (request.dir) checkDirectory('dir', request.dir);
  const { own, candidates, lacks } = await candidatesFor(scope, agent, request);
  const round = request.fromLastRound ? await keptRound(scope, agent) : undefined;
  for (const host of candidates) {
    try {
      return await checked(scope, agent, { own, host, dir: request.dir, round });
    } catch (error) {
      if (!(error instanceof Failure) || error.isFor('MOVE_NOT_POSSIBLE')) throw error;
      lacks.push(`${host.name}: ${error.message}`);
    }
  }
  throw new Failure(
    'MOVE_NOT_POSSIBLE',
    `Agent ${describeAgent(agent)} cannot move: ${listed(lacks) || 'there is no other host'}`,
    { metadata: { agentId: agent.id } },
  );
}

interface Candidates {
  readonly own: StoredHost;
  readonly candidates: readonly StoredHost[];
  readonly lacks: string[];
}

/** The hosts that may take an agent, judged by their rows, those with the fewest agents first. */
async function candidatesFor(
  scope: MoveScope,
  agent: StoredAgent,
  { host: named, fromLastRound = false }: MoveRequest,
): Promise<Candidates> {
  return scope.store.read(async ({ hosts, agents, workflows }) => {
    const all = await hosts.all();
    // One that was removed is not listed.
    const own = await hosts.find(agent.host);
    if (own === undefined || (fromLastRound ? !isLost(own) : !isOnline(own))) throw unheard(agent, own, fromLastRound);
    const workflow = await workflows.find(agent.workflowId);
    const selector = named || workflow === undefined ? [] : placementOf({}, workflow).selector;
    const wanted = { named: named || undefined, selector, harness: agent.launch.harness };
    const { candidates, lacks } = candidatesAmong(all, wanted);
    const room = new HostRoom(await agents.countPlaced(), scope);
    const isThere = candidates.some(({ id }) => id === own.id);
    const reasons = [...lacks, ...(isThere && named ? [`it is on ${own.name} already`] : [])];
    const free = candidates.filter((host) => {
      const full = room.whyFull(host, (agent.launch.scripts.setup ?? '') !== '');
      if (full !== undefined) reasons.push(full);
      return host.id !== own.id && full === undefined;
    });
    const ordered = free.toSorted((a, b) => room.agentsOn(a) - room.agentsOn(b));
    return { own, candidates: ordered, lacks: reasons };
  });
}

interface CheckedTarget {
  readonly own: StoredHost;
  readonly host: StoredHost;
  readonly dir: string | undefined;
  readonly round: StoredRoundPackage | undefined;
}

async function checked(
  { lines }: Pick<MoveScope, 'lines'>,
  agent: StoredAgent,
  { own, host, dir, round }: CheckedTarget,
): Promise<Target> {
  const { harness, provision, cwd } = agent.launch;
  const { checkArrival, checkDeparture } = hostCalls;
  const needs = round === undefined ? undefined : [...round.needs];
  const asked = { agentId: agent.id, harness, cwd: dir || cwd, isNamed: Boolean(dir), provision, needs };
  const arrival = await askHost(lines, host, checkArrival, asked, checkArrival.withinMs);
  if (round !== undefined) return { host, cwd: arrival.cwd, known: [], notCarried: round.notCarried, round };
  const leaving = { agentId: agent.id, known: arrival.known };
  const departure = await askHost(lines, own, checkDeparture, leaving, checkDeparture.withinMs);
  if (departure.against.length > 0) {
    throw new Failure(
      'MOVE_NOT_POSSIBLE',
      `Agent ${describeAgent(agent)} cannot move from ${own.name}: ${departure.against.join('; ')}`,
      { metadata: { agentId: agent.id } },
    );
  }
  if (!departure.isRelated) {
    throw new Failure(
      'NOT_A_REPOSITORY',
      `the repository at ${arrival.cwd} there has no commit in common with the agent’s: name another directory`,
    );
  }
  return { host, cwd: arrival.cwd, known: arrival.known, notCarried: departure.notCarried };
}

/** @throws FAILED_PRECONDITION when no round of the agent was kept */
async function keptRound({ store }: Pick<MoveScope, 'store'>, agent: StoredAgent): Promise<StoredRoundPackage> {
  const kept = await store.read(({ roundPackages }) => roundPackages.find(agent.id));
  if (kept !== undefined) return kept;
  throw new Failure(
    'MOVE_NOT_POSSIBLE',
    `Agent ${describeAgent(agent)} cannot move: no round of it was kept before its host was lost`,
    { metadata: { agentId: agent.id } },
  );
}

function unheard(agent: StoredAgent, own: StoredHost | undefined, fromLastRound: boolean): Failure {
  const name = quoted(own?.name ?? agent.host);
  if (fromLastRound && own !== undefined) {
    const what = isOnline(own) ? 'is online: move the agent without fromLastRound' : 'is silent and not lost yet: wait';
    return new Failure(
      'HOST_STILL_HEARD',
      `fromLastRound is true, and the host of ${describeAgent(agent)}, ${name}, ${what}`,
      {
        field: 'fromLastRound',
      },
    );
  }
  const lost = own !== undefined && isLost(own);
  const what = lost ? 'fromLastRound moves it with what its last round had' : 'wait until it is back or lost';
  return new Failure(
    'HOST_LOST',
    `Agent ${describeAgent(agent)} cannot move: its host ${name} has not answered for too long: ${what}`,
  );
}
