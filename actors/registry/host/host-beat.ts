import type { z } from 'zod';
import { change } from '#actors/registry/agent/change.ts';
import { called } from '#actors/registry/agent/find-agent.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { Sender } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { registryCalls } from '#contract/wire/registry.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { begin, decide } from '#machines/decide.ts';
import { type HostEvent, hostLife, hostSilenceMs } from '#machines/host/host.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/store.ts';
import { pauseSteps, resumeSteps } from './away.ts';
import { checkHostName } from './host-named.ts';
import type { HostScope } from './host-scope.ts';
import { isNewcomer, isStranger, shortened } from './newcomers.ts';
import { isOnline } from './online.ts';
import { checkOwnKey } from './own-key.ts';
import { silence } from './pulses.ts';
import { writeHost } from './write-host.ts';

/** What a host says with a beat. */
type Beat = z.output<typeof registryCalls.beat.request>;

/**
 * Notes that a host is there, and binds its row to its key where it has none. The first host that comes gives the installation its
 * first workflow. Gives what people have confirmed for it.
 * @throws Failure as `checkOwnKey`
 */
export async function hearHost(scope: HostScope, said: Beat, sender: Sender): Promise<StoredHost['confirmedLaunches']> {
  const { hostId, figures, foundTerminals } = said;
  const known = await scope.store.read(({ hosts }) => hosts.find(hostId));
  checkOwnKey(known, sender);
  // Asked again in the write. Who is refused here holds up nobody else's.
  if (known === undefined) scope.newcomers.requireRoom(await scope.store.read(({ hosts }) => hosts.all()));
  const beat = known !== undefined && isNewcomer(known) ? shortened(said) : said;
  const isNews = known === undefined || !saysNothingNew(known, beat, sender);
  if (known !== undefined && isNews && isNewcomer(known) && saysOtherwise(known, beat))
    scope.newcomers.noteChange(known);
  const confirmed = isNews ? await writeBeat(scope, beat, sender) : known.confirmedLaunches;
  if (!isNews) notePulse(scope, known, beat);
  // What a host tells beside its row counts once it is known to be that host's.
  scope.reports.hear(hostId, { figures, foundTerminals });
  sender.bind();
  return confirmed;
}

function notePulse({ pulses, clock }: HostScope, known: StoredHost, beat: Beat): void {
  const { condition = known.condition } = pulses.freshen(known);
  pulses.note(known.id, { seenAt: clock.now(), condition: toldOf(beat, clock.now()) ?? condition });
}

/** Whether a host calls itself otherwise than before, or has other harnesses. */
function saysOtherwise(known: StoredHost, { name, harnesses, codingHarnesses = [] }: Beat): boolean {
  const was = [known.name, known.harnesses, known.codingHarnesses];
  return JSON.stringify(was) !== JSON.stringify([name, harnesses, codingHarnesses]);
}

/** Whether a beat says only that the host is there as it was: its row then stands, but for the time. */
function saysNothingNew(known: StoredHost, beat: Beat, { key }: Sender): boolean {
  // What agents may do hangs on where muster's own folder is, so that is news.
  const { stateFolder } = beat.condition ?? known.condition ?? {};
  const isSame = known.key === key && known.condition?.stateFolder === stateFolder;
  return isOnline(known) && isSame && !saysOtherwise(known, beat);
}

function toldOf({ condition }: Beat, now: number): StoredHost['condition'] | undefined {
  return condition && { ...condition, measuredAt: now };
}

async function writeBeat(scope: HostScope, beat: Beat, sender: Sender): Promise<StoredHost['confirmedLaunches']> {
  const { hostId } = beat;
  return change(scope, async (writing) => {
    const { tables, now } = writing;
    const known = await tables.hosts.find(hostId);
    checkOwnKey(known, sender);
    const all = await tables.hosts.all();
    checkHostName(all, beat.name);
    const newcomer = known === undefined ? !(await tables.hosts.isEmpty()) : isNewcomer(known);
    const comes = known === undefined || phaseOf(known.snapshot.value) === 'forgotten';
    if (comes && newcomer && (known === undefined || isStranger(known))) scope.newcomers.requireRoom(all);
    const { name, harnesses, codingHarnesses = [] } = newcomer ? shortened(beat) : beat;
    const said = { name, harnesses };
    const event: HostEvent = { type: 'BEAT', ...said };
    const birth = { ...said, newcomer, ...(newcomer && { everTakenIn: false }) };
    const decision = known ? decide(hostLife, known.snapshot, event) : begin(hostLife, birth);
    if (decision === undefined) throw new Failure('internal', `The machine of host ${hostId} takes no beat`);
    const heard = { seenAt: now, condition: toldOf(beat, now) ?? known?.condition ?? null, codingHarnesses };
    await writeHost(tables, hostId, { before: known?.snapshot, event: known && event, decision }, heard);
    if (known !== undefined && !isOnline(known)) await tables.journal.setLastKnown(hostId, null);
    await tables.deadlines.set({ owner: 'host', ownerId: hostId }, { [silence]: hostSilenceMs });
    if (known?.key == null) await tables.hosts.bind(hostId, sender.key);
    if (known === undefined && sender.holder !== undefined) await tables.hosts.hold(hostId, sender.holder);
    if (known !== undefined && !isOnline(known)) await resumeSteps(writing, hostId);
    await scope.welcome(tables, harnesses);
    return known?.confirmedLaunches ?? {};
  });
}

/**
 * Notes that a host has been silent for too long, unless it was heard since that was written down. Its agents keep their states, as the
 * last ones that are known, and their steps wait for it.
 */
export async function loseHost({ pulses, clock }: LosingScope, writing: Change, hostId: string): Promise<void> {
  const { tables } = writing;
  const found = await tables.hosts.find(hostId);
  const known = found && pulses.freshen(found);
  const left = (known?.seenAt ?? 0) + hostSilenceMs - clock.now();
  if (known !== undefined && known !== found && left > 0) {
    return tables.deadlines.set({ owner: 'host', ownerId: hostId }, { [silence]: left });
  }
  const event: HostEvent = { type: 'SILENT' };
  const decision = known && decide(hostLife, known.snapshot, event);
  if (known === undefined || decision === undefined) return;
  await writeHost(tables, hostId, { before: known.snapshot, event, decision }, known);
  await pauseSteps(writing, known);
  await tables.journal.setLastKnown(hostId, known.seenAt);
}

/** Takes a host out of service for new agents, or puts it back. */
export async function drain(tables: Tables, host: StoredHost, isDrained: boolean): Promise<void> {
  const event: HostEvent = { type: isDrained ? 'DRAIN' : 'UNDRAIN' };
  const decision = decide(hostLife, host.snapshot, event);
  if (decision) await writeHost(tables, host.id, { before: host.snapshot, event, decision }, host);
}

/**
 * Forgets a lost host that no agent stands on, and what was confirmed for it. Its key stays its own, so that nobody else comes as it.
 * @throws Failure `failed_precondition` while it is heard of, and while agents stand on it
 */
export async function forget(tables: Tables, host: StoredHost): Promise<void> {
  const { id, name, snapshot, seenAt } = host;
  const refuse = (why: string) =>
    new Failure('failed_precondition', `Host ${quoted(name)} (${id}) is not forgotten: ${why}`);
  if (phaseOf(snapshot.value) === 'forgotten') return;
  const event: HostEvent = { type: 'FORGET' };
  const decision = decide(hostLife, snapshot, event);
  if (decision === undefined) {
    throw refuse(
      `it was heard of at ${new Date(seenAt).toISOString()}. Stop \`muster host\` there first; it counts as lost after 30 s`,
    );
  }
  const { first, count } = await tables.agents.standingOn(id, 5);
  if (count > 0) {
    const names = first.map(called).join(', ') + (count > first.length ? ', …' : '');
    throw refuse(
      `${count} ${count === 1 ? 'agent stands' : 'agents stand'} on it, archived ones too: ${names}. delete_agent with abandon gives them up`,
    );
  }
  await writeHost(tables, id, { before: snapshot, event, decision }, host);
  await tables.hosts.confirmNothing(id);
}

/** Gives hosts that are on line their whole time again: while nobody listened, their silence says nothing. None was seen after now. */
export async function excuseHosts({ hosts, deadlines }: Tables, now: number): Promise<void> {
  for (const host of await hosts.all()) {
    if (host.seenAt > now) await hosts.save({ ...host, seenAt: now });
    if (isOnline(host)) await deadlines.set({ owner: 'host', ownerId: host.id }, { [silence]: hostSilenceMs });
  }
}

type LosingScope = Pick<HostScope, 'pulses' | 'clock'>;
