import type { z } from 'zod';
import { change } from '#actors/registry/agent/change.ts';
import { countWork } from '#actors/registry/budget/count-budgets.ts';
import { pauseSteps, resumeSteps } from '#actors/registry/host/away.ts';
import { hostKind } from '#actors/registry/host/host-kind.ts';
import { checkHostName } from '#actors/registry/host/host-name.ts';
import type { HostScope } from '#actors/registry/host/host-scope.ts';
import { isNewHost, isUnadmitted, limitHarnesses } from '#actors/registry/host/new-hosts.ts';
import { isOnline } from '#actors/registry/host/online.ts';
import { checkOwnKey, requireMember } from '#actors/registry/host/own-key.ts';
import { patienceWith } from '#actors/registry/host/settings/host-limits.ts';
import { advanceInstance, beginInstance } from '#actors/registry/kernel/instance.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { Sender } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import type { registryCalls } from '#contract/wire/registry.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { graceMs } from '#machines/host/beats.ts';
import { type HostContext, hostDeadlines } from '#machines/host/host.ts';
import { bareHost } from '#store/host/bare-host.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/tables.ts';

/** The content of a host's beat. */
type Beat = z.output<typeof registryCalls.beat.request>;

/**
 * Records a host's beat, and binds the host's row to its key if it has none. The first host gives the installation its
 * first workflow. Returns the harness launches that people have confirmed on the host.
 * @throws Failure as `checkOwnKey` and `requireMember`; RESOURCE_EXHAUSTED when too many new hosts exist, or a new host
 * changes too often;   INVALID_ARGUMENT when the host's name is not allowed
 */
export async function recordBeat(
  scope: HostScope,
  reported: Beat,
  sender: Sender,
): Promise<StoredHost['confirmedLaunches']> {
  const { hostId } = reported;
  const { known, joined } = await scope.store.read(async ({ hosts, joinedHosts }) => ({
    known: await hosts.find(hostId),
    joined: await joinedHosts.find(hostId),
  }));
  checkOwnKey(known, sender);
  requireMember(joined);
  const said = joined === undefined ? reported : { ...reported, name: joined.name };
  // The write checks it again. Checking before it keeps refused hosts from delaying other writes.
  if (known === undefined && joined === undefined)
    scope.newHosts.requireRoom(await scope.store.read(({ hosts }) => hosts.all()));
  const beat = known !== undefined && isNewHost(known) ? limitHarnesses(said) : said;
  const isChange = known === undefined || isOverdue(scope, known) || !changesNothing(known, beat, sender);
  if (known !== undefined && isChange && isNewHost(known) && hasNewDescription(known, beat))
    scope.newHosts.noteChange(known);
  const written = isChange ? await writeBeat(scope, beat, sender) : known;
  if (!isChange) noteBeat(scope, known, beat);
  sender.bind();
  if (written !== undefined) await scope.onBeat(written);
  if (known !== undefined && !isNewHost(known)) {
    scope.unresponsiveHosts
      .check(hostId)
      .catch((err: unknown) => scope.log.error({ err, hostId }, 'a host could not be pinged'));
  }
  return written?.confirmedLaunches ?? {};
}

function noteBeat({ beatBuffer, clock }: HostScope, known: StoredHost, beat: Beat): void {
  const now = clock.now();
  const { condition } = beatBuffer.freshen(known);
  const { figures, foundTerminals = [] } = beat;
  const isCounted = figures !== undefined && !isNewHost(known);
  beatBuffer.note(known.id, {
    seenAt: now,
    condition: toReading(beat, now) ?? condition ?? null,
    foundTerminals,
    ...(isCounted && { figures }),
  });
}

/** Whether a host's name or harnesses have changed. */
function hasNewDescription(known: StoredHost, { name, harnesses, codingHarnesses = [] }: Beat): boolean {
  const was = [known.name, known.harnesses, known.codingHarnesses];
  return JSON.stringify(was) !== JSON.stringify([name, harnesses, codingHarnesses]);
}

/**
 * Whether a host was silent for so long that a write of its loss may be in progress. Its beat is then written too, so
 * that the two are in order.
 */
function isOverdue({ beatBuffer, clock }: HostScope, known: StoredHost): boolean {
  return clock.now() - beatBuffer.freshen(known).seenAt >= beatBuffer.maxSilence;
}

/** Whether a beat leaves the host's state, name, harnesses, key and state folder unchanged. */
function changesNothing(known: StoredHost, beat: Beat, { key }: Sender): boolean {
  // What agents may do depends on where muster's state folder is, so a change of it is written.
  const { stateFolder } = beat.condition ?? known.condition ?? {};
  const isSame = known.key === key && known.condition?.stateFolder === stateFolder;
  return isOnline(known) && isSame && !hasNewDescription(known, beat);
}

function toReading({ condition }: Beat, now: number): StoredHost['condition'] | undefined {
  if (condition === undefined) return undefined;
  const { clock } = condition;
  return { ...condition, measuredAt: now, ...(clock !== undefined && { clockOffsetMs: clock - now }) };
}

async function writeBeat(scope: HostScope, beat: Beat, sender: Sender): Promise<StoredHost | undefined> {
  const { hostId } = beat;
  return change(scope, async (writing) => {
    const { tables, now } = writing;
    const known = await tables.hosts.find(hostId);
    checkOwnKey(known, sender);
    const joined = await tables.joinedHosts.find(hostId);
    requireMember(joined);
    const all = await tables.hosts.all();
    checkHostName(all, beat.name);
    // A person has invited a machine that joined, and so admitted it.
    const isNew = joined === undefined && !(await tables.hosts.isEmpty());
    const newcomer = known === undefined ? isNew : isNewHost(known);
    const comes = known === undefined || phaseOf(known.snapshot.value) === 'forgotten';
    if (comes && newcomer && (known === undefined || isUnadmitted(known))) scope.newHosts.requireRoom(all);
    const { name, harnesses, codingHarnesses = [] } = newcomer ? limitHarnesses(beat) : beat;
    const said = { name, harnesses };
    const observed = {
      seenAt: now,
      condition: toReading(beat, now) ?? known?.condition ?? null,
      codingHarnesses,
      foundTerminals: beat.foundTerminals ?? [],
      ...(beat.figures && !newcomer && { figures: beat.figures }),
    };
    const initial = { ...said, newcomer, ...(newcomer && { everTakenIn: false }) };
    const { labels = {} } = joined ?? {};
    if (known === undefined) await addHost(writing, sender, initial, { ...observed, labels });
    else if ((await advanceInstance(writing, hostKind, known, { type: 'BEAT', ...said }, observed)) === undefined)
      throw new Failure('INTERNAL', `The machine of host ${hostId} does not accept a beat`);
    if (known !== undefined && !isOnline(known)) await tables.journal.setLastKnown(hostId, null);
    if (known !== undefined && known.key === null) await tables.hosts.bind(hostId, sender.key);
    if (known !== undefined && !isOnline(known)) {
      await resumeSteps(writing, hostId);
      await countWork(writing);
    }
    return tables.hosts.find(hostId);
  });
}

/** Creates the row of a host that joins. */
function addHost(
  writing: Change,
  { hostId: id, key, holder }: Sender,
  initial: HostContext,
  observed: Pick<StoredHost, 'seenAt' | 'condition' | 'codingHarnesses' | 'foundTerminals' | 'labels'> &
    Partial<Pick<StoredHost, 'figures'>>,
): Promise<StoredHost> {
  const row = {
    id,
    name: initial.name,
    harnesses: initial.harnesses,
    key,
    holder: holder ?? null,
    confirmedLaunches: {},
    keyEpoch: 0,
    figures: null,
    stateSince: writing.now,
    ...bareHost,
    ...observed,
  };
  return beginInstance(writing, hostKind, initial, (snapshot) => ({ ...row, snapshot }));
}

/**
 * Called when a deadline of a host expires: it is silent, unless it has sent a beat since, and lost once its silence
 * limit is reached. The agents of a silent host keep their states, marked as the last known ones, and their steps are
 * paused.
 */
export async function followSilence(scope: SilenceScope, writing: Change, hostId: string): Promise<void> {
  const { tables } = writing;
  const { beatBuffer, clock } = scope;
  const found = await tables.hosts.find(hostId);
  if (found === undefined) return;
  const known = beatBuffer.freshen(found);
  const silentMs = clock.now() - known.seenAt;
  const silent = isOnline(known) ? await setSilent(scope, writing, known, silentMs) : known;
  if (silent === undefined || phaseOf(silent.snapshot.value) !== hostDeadlines.silent) return;
  const left = Math.max(patienceWith(silent, scope.hostDefaults), beatBuffer.maxSilence) - silentMs;
  const owner = { owner: 'host', ownerId: hostId } as const;
  if (left > 0) return tables.deadlines.set(owner, { [hostDeadlines.silent]: left });
  await advanceInstance(writing, hostKind, silent, { type: 'DEADLINE', name: hostDeadlines.silent });
}

/** Marks a host as silent, if it is. Returns its row if so. */
async function setSilent(
  { beatBuffer }: SilenceScope,
  writing: Change,
  known: StoredHost,
  silentMs: number,
): Promise<StoredHost | undefined> {
  const { tables } = writing;
  const { id, seenAt, condition } = known;
  const left = beatBuffer.maxSilence - silentMs;
  if (left > 0) {
    await tables.deadlines.set({ owner: 'host', ownerId: id }, { [hostDeadlines.online]: left });
    return undefined;
  }
  const event = { type: 'DEADLINE', name: hostDeadlines.online } as const;
  const silent = await advanceInstance(writing, hostKind, known, event, { seenAt, condition });
  if (silent === undefined) return undefined;
  await pauseSteps(writing, known);
  await tables.journal.setLastKnown(id, seenAt);
  await countWork(writing);
  beatBuffer.lose(id);
  return silent;
}

/**
 * Restarts the deadlines of hosts that are not lost after the registry was down: it could not have received their
 * beats. Also limits every `seenAt` to now.
 */
export async function resetSilence({ hosts, deadlines }: Tables, now: number): Promise<void> {
  await hosts.limitSeenAt(now);
  for (const host of await hosts.all()) {
    const phase = phaseOf(host.snapshot.value);
    if (phase === hostDeadlines.online || phase === hostDeadlines.silent)
      await deadlines.set({ owner: 'host', ownerId: host.id }, { [phase]: graceMs });
  }
}

type SilenceScope = Pick<HostScope, 'clock' | 'hostDefaults'> & {
  readonly beatBuffer: Pick<HostScope['beatBuffer'], 'freshen' | 'maxSilence' | 'lose'>;
};
