import type { z } from 'zod';
import { issueToken } from '#actors/registry/access/agent-credential.ts';
import { mayHoldTokens, phaseOfAgent } from '#actors/registry/agent/agent-standing.ts';
import { change, commitFamily } from '#actors/registry/agent/change.ts';
import { advanceDoorbell } from '#actors/registry/doorbell/doorbells.ts';
import { recordBeat } from '#actors/registry/host/beat/host-beat.ts';
import { changes } from '#actors/registry/host/changes.ts';
import { decidedCommit } from '#actors/registry/host/decided-commit.ts';
import { type HostEndpoint, placesOf } from '#actors/registry/host/host-endpoint.ts';
import { isOnline } from '#actors/registry/host/online.ts';
import { ownAgent, ownAgentOfEpoch, ownWholeAgent } from '#actors/registry/host/own-agent.ts';
import type { Permits } from '#actors/registry/host/permits.ts';
import { renew } from '#actors/registry/joining/certificates.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { departed } from '#actors/registry/move/departed.ts';
import { packagePiece } from '#actors/registry/move/package-piece.ts';
import { hostProfileOf } from '#actors/registry/profile/agent-profile.ts';
import { noteRun } from '#actors/registry/run/note-run.ts';
import type { Endpoint, Sender } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import { quoted } from '#contract/quoted.ts';
import type { AgentCommit, AgentRecord } from '#contract/wire/agent-record.ts';
import { registryCalls } from '#contract/wire/registry.ts';
import type { CredentialTable } from '#store/access/credential-table.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { HostTable } from '#store/host/host-table.ts';
import { installationOf } from './installation.ts';
import type { RegistryScope } from './registry-scope.ts';
import { SessionCheck } from './session-check.ts';

/** Facts after which an agent's worktree may have changed: its turn ended, or a person released it. */
const remeasuredAfter = new Set(['agent.finished', 'agent.ended', 'agent.unheld']);

/** The endpoints that hosts call. The session identifies the host, which may act only for itself and on its agents. */
export function hostEndpoints(scope: RegistryScope, permits: Pick<Permits, 'grant'>): readonly Endpoint[] {
  const { store } = scope;
  const endpoint = endpointsOf(scope);
  const endpoints: readonly HostEndpoint[] = [
    endpoint(registryCalls.beat, async (beat, sender) => {
      checkIsSender(beat.hostId, sender);
      const confirmed = await recordBeat(scope, beat, sender);
      return { confirmed, registryNow: scope.lines.now(), nextMs: scope.beatBuffer.beatEvery };
    }),
    endpoint(registryCalls.changes, async (request, sender) => {
      checkIsSender(request.hostId, sender);
      return changes(scope, request);
    }),
    endpoint(registryCalls.families, ({ families }, { hostId }) =>
      store.write(async (tables) => ({
        installation: await installationOf(tables),
        left: [...(await tables.agents.familiesLeft(families, hostId))],
        gone: [...(await tables.agents.familiesGone(families, hostId))],
        confirmed: (await tables.hosts.find(hostId))?.confirmedLaunches ?? {},
      })),
    ),
    endpoint(registryCalls.load, ({ agentId, acts }, sender) =>
      store.read(async ({ agents, hosts }) => {
        if (acts) await requireHeard(hosts, sender);
        return (await ownWholeAgent(agents, sender, agentId)).record;
      }),
    ),
    endpoint(registryCalls.commit, (commit, sender) => committed(scope, commit, sender)),
    endpoint(registryCalls.run, async (run, sender) => {
      const running = await change(scope, async (writing) => {
        if (run.output === undefined) await requireHeard(writing.tables.hosts, sender);
        const agent = await ownAgentOfEpoch(writing.tables.agents, sender, run);
        checkOwnEffect(run);
        return noteRun(writing, agent, run);
      });
      if (running)
        scope.ephemeralEvents.publish({ kind: 'run.wrote', subjectId: running.agent, detail: { run: running.id } });
      return {};
    }),
    endpoint(registryCalls.rung, (request, sender) => change(scope, (writing) => rung(writing, request, sender))),
    endpoint(registryCalls.baseMoved, async ({ agentId }, sender) => {
      await store.read(({ agents }) => ownAgent(agents, sender, agentId));
      return { isWatched: await scope.reviewStatuses.remeasure(agentId) };
    }),
    endpoint(registryCalls.piece, (request, sender) => packagePiece(scope, request, sender)),
    endpoint(registryCalls.departed, async (request, sender) => {
      await change(scope, (writing) => departed(writing, request, sender));
      return {};
    }),
    endpoint(registryCalls.renew, (_request, { hostId }) => renew(scope, hostId)),
    endpoint(registryCalls.profile, (request, sender) => profileOf(scope, request, sender)),
    endpoint(registryCalls.token, (request, sender) => token(scope, request, sender)),
    endpoint(registryCalls.permit, async ({ ticket }, sender) => {
      await store.read(({ hosts }) => requireHeard(hosts, sender));
      return permits.grant(ticket, sender.hostId);
    }),
  ];
  return endpoints.flatMap((one) => placesOf(one, scope.holder));
}

interface RegistryCall<Request extends z.ZodType, Response extends z.ZodType> {
  readonly verb: string;
  readonly request: Request;
  readonly response: Response;
}

/** Whether a host may make a call before its row is bound to its key: a beat, or a query without families. */
function isForAll(verb: string, body: unknown): boolean {
  if (verb === registryCalls.beat.verb) return true;
  const { data } = registryCalls.families.request.safeParse(body);
  return verb === registryCalls.families.verb && data?.families.length === 0;
}

function endpointsOf({ store, lines }: Pick<RegistryScope, 'store' | 'lines'>) {
  const sessions = new SessionCheck({ store, lines });
  return <Q extends z.ZodType, A extends z.ZodType>(
    { verb, request }: RegistryCall<Q, A>,
    answer: (request: z.output<Q>, sender: Sender) => Promise<z.input<A>>,
  ): HostEndpoint => ({
    name: verb,
    envelope: lines.envelope,
    async handle(body, { sender }) {
      if (sender === undefined || !(sender.isBound || isForAll(verb, body))) {
        throw new Failure(
          'HOST_NOT_INTRODUCED',
          `A host sent ${verb} before the registry received its first beat: try again`,
        );
      }
      if (sender.holder === undefined) {
        throw new Failure('HOST_NOT_INTRODUCED', `A host sent ${verb} before it identified its machine: try again`);
      }
      await sessions.check(sender);
      return answer(parseRequest(request, body), sender);
    },
  });
}

/**
 * Called before a host gets what lets it type or start something: while the host counts as silent, rows say that its
 * state is unknown, so nothing new may start there.
 * @throws UNAVAILABLE when it is silent, until its next beat
 */
async function requireHeard(hosts: Pick<HostTable, 'find'>, { hostId }: Sender): Promise<void> {
  const host = await hosts.find(hostId);
  if (host === undefined || isOnline(host)) return;
  throw new Failure('HOST_LOST', `Host ${hostId} counts as silent, so it may start nothing: send a beat first`);
}

/** @throws PERMISSION_DENIED when a host reports for another one */
function checkIsSender(hostId: string, sender: Sender): void {
  if (hostId === sender.hostId) return;
  throw new Failure(
    'HOST_NOT_ENTITLED',
    `Host ${sender.hostId} reports for ${hostId}: a host may report only for itself`,
  );
}

async function committed(scope: RegistryScope, given: AgentCommit, sender: Sender): Promise<AgentRecord> {
  const { agentId } = given;
  const { record, facts } = await change(scope, async (writing) => {
    const whole = await ownWholeAgent(writing.tables.agents, sender, agentId);
    const commit = decidedCommit(whole.record, given);
    // The host learns the result from the answer, so it needs no hint.
    return { record: await commitFamily(writing, commit, whole), facts: commit.facts };
  });
  if (facts.some(({ kind }) => remeasuredAfter.has(kind))) scope.reviewStatuses.measure(agentId);
  return record;
}

/** Records that a host rang a doorbell. A doorbell that was claimed meanwhile stays claimed. */
async function rung(
  writing: Change,
  { agentId, epoch, bellId }: z.output<typeof registryCalls.rung.request>,
  sender: Sender,
): Promise<AgentRecord> {
  const { agents, doorbells, journal } = writing.tables;
  const known = await ownAgentOfEpoch(agents, sender, { agentId, epoch });
  const bell = await doorbells.find(bellId);
  if (bell !== undefined && bell.agent !== agentId) {
    throw new Failure(
      'DOORBELL_OF_OTHER_AGENT',
      `Doorbell ${bellId} belongs to ${bell.agent}, not to ${agentId}: release it`,
    );
  }
  if (bell !== undefined) await advanceDoorbell(writing, bell, { type: 'RUNG' }, { known });
  return journal.load(agentId);
}

/** Keeps a host from recording runs under another agent's effect. @throws PERMISSION_DENIED when it tries to */
function checkOwnEffect({ agentId, effect }: { readonly agentId: string; readonly effect: string }): void {
  if (effect.startsWith(`${agentId}/`)) return;
  throw new Failure(
    'HOST_NOT_ENTITLED',
    `Effect ${quoted(effect)} does not belong to agent ${agentId}: name its agent`,
  );
}

/** The profile of an agent, for its host alone. */
async function profileOf(
  { store, sealing }: RegistryScope,
  request: z.output<typeof registryCalls.profile.request>,
  sender: Sender,
): Promise<z.output<typeof registryCalls.profile.response>> {
  const profile = await store.read(async ({ agents, hosts, profiles }) => {
    await requireHeard(hosts, sender);
    const { profileId } = (await ownAgentOfEpoch(agents, sender, request)).launch;
    return profileId === undefined ? undefined : profiles.find(profileId);
  });
  return profile === undefined ? {} : { profile: hostProfileOf(profile, sealing) };
}

function token(
  { store }: RegistryScope,
  request: z.output<typeof registryCalls.token.request>,
  sender: Sender,
): Promise<z.output<typeof registryCalls.token.response>> {
  return store.write(async ({ agents, credentials, hosts }) => {
    await requireHeard(hosts, sender);
    const agent = await ownAgentOfEpoch(agents, sender, request);
    const isOver = !mayHoldTokens(agent) || (request.purpose === 'script' && (await areEnded(credentials, agent)));
    return isOver ? {} : { token: await issueToken(credentials, agent.id, request.purpose) };
  });
}

/** Whether an agent's tokens were revoked, so that its scripts get none. False before its first window is open. */
async function areEnded(credentials: CredentialTable, agent: StoredAgent): Promise<boolean> {
  const isBeforeWindow = !agent.alive && phaseOfAgent(agent).startsWith('settingUp');
  return !isBeforeWindow && !(await credentials.hasAgent(agent.id));
}
