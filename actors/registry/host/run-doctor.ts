import { handler } from '#actors/registry/kernel/handler.ts';
import { Failure } from '#contract/failure.ts';
import { type Check, type CheckedPart, toCheck, well } from '#contract/host/check.ts';
import { checkClock, clockCheck, unheardCheck, unresponsiveCheck } from '#contract/host/host-checks.ts';
import { byteText } from '#contract/host/load-reading.ts';
import { runDoctor } from '#contract/operations/host.ts';
import { quoted } from '#contract/quoted.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { checkIsolation } from './check-isolation.ts';
import { askHost } from './host-call.ts';
import { checkReported, findHost } from './host-resource.ts';
import type { HostScope } from './host-scope.ts';
import { howToResolveDuplicate } from './leases.ts';
import { howToMakeRoom, isNewHost, whyNoRoom } from './new-hosts.ts';
import { isOnline, isSilent } from './online.ts';

/** The shortest round trip to the bus that the doctor warns about, in milliseconds. */
const slowBus = 250;

/** Maximum length of one host's report, in characters of JSON. The answer holds the reports of all hosts. */
const maxPerHost = 64 * 1024;

/** Checks the registry and every host, or one host. */
export const runDoctorHandler = handler(runDoctor, async ({ hostId }, _caller, scope: HostScope) => {
  const hosts = await scope.store.read(async (tables) =>
    hostId ? [await findHost(tables.hosts, hostId)] : await tables.hosts.all(),
  );
  const ofHosts = Promise.all(hosts.map((host) => examineHost(scope, host)));
  return { parts: [...(hostId ? [] : [await examineRegistry(scope)]), ...(await ofHosts)] };
});

async function examineRegistry(scope: HostScope): Promise<CheckedPart> {
  const newHosts = await checkNewHosts(scope);
  const checks = [
    await checkBus(scope),
    await checkDatabase(scope),
    ...checkRegistries(scope),
    ...newHosts,
    ...(await checkIsolation(scope)),
    ...(await scope.examine()),
  ];
  return { name: 'registry', checks: checks.map(toCheck) };
}

async function checkBus({ bus }: HostScope): Promise<Check> {
  const took = Math.ceil(await bus.roundTrip());
  if (took < slowBus) return well('bus', 'it answers the registry at once');
  const found = `it took ${took} ms to answer the registry`;
  const mend = 'check the load of its machine and the network to it: everything waits for the bus';
  return { name: 'bus', outcome: 'warn', found, mend };
}

async function checkDatabase({ probeDatabase, store }: HostScope): Promise<Check> {
  const name = 'database';
  try {
    await probeDatabase();
  } catch (error) {
    const found = error instanceof Failure ? error.message : 'it cannot be written';
    return {
      name,
      outcome: 'fail',
      found,
      mend: 'muster accepts no changes until that is fixed; `muster logs` shows details',
    };
  }
  const { bytes, walBytes } = store.figures().database;
  return well(name, `it is writable; its size is ${byteText(bytes + walBytes)}`);
}

/** The registries that share the database; empty if only one can. */
function checkRegistries({ holder, peers }: HostScope): Check[] {
  if (!peers.isShared) return [];
  const all = [holder, ...peers.others].map(({ machine, pid }) => `process ${pid} on ${quoted(machine)}`).toSorted();
  return [well('registries', `${all.length} ${all.length === 1 ? 'runs' : 'share the database'}: ${all.join(', ')}`)];
}

/** A warning if hosts are refused because too many are new; none otherwise. */
async function checkNewHosts({ store, newHosts }: HostScope): Promise<Check[]> {
  const found = whyNoRoom(await store.read(({ hosts }) => hosts.all()), newHosts.max);
  return found === undefined
    ? []
    : [{ name: 'new hosts', outcome: 'warn', found: `${found}: further new hosts are refused`, mend: howToMakeRoom }];
}

async function examineHost(scope: HostScope, host: StoredHost): Promise<CheckedPart> {
  const { name, id: hostId } = host;
  return { name, hostId, checks: (await checksOf(scope, host)).map(toCheck) };
}

async function checksOf(scope: HostScope, host: StoredHost): Promise<Check[]> {
  const rival = scope.rivals.of(host.id);
  const checks = isNewHost(host) ? [checkNewcomer(scope, host)] : await ownChecksOf(scope, host);
  if (rival === undefined) return checks;
  const found =
    `machine ${quoted(rival.machine)} with the state folder ${quoted(rival.path)} uses the same host.id and ` +
    'host.key, and is refused';
  return [{ name: 'identity', outcome: 'warn', found, mend: howToResolveDuplicate }, ...checks];
}

/** A new host's checks are not shown, because people could mistake its text for advice from muster. */
function checkNewcomer({ beatBuffer }: HostScope, stored: StoredHost): Check {
  const { id, seenAt } = beatBuffer.freshen(stored);
  return {
    name: 'new',
    outcome: 'warn',
    found: `it joined as ${id}, was last seen ${new Date(seenAt).toISOString()}, and is not admitted: muster sends it no requests`,
    mend:
      `if it is yours, \`muster host uncordon ${id}\`; if it is not, make new keys of the bus (\`muster bus-keys\`), and once it is lost ` +
      `\`muster hosts --forget ${id}\``,
  };
}

async function ownChecksOf(scope: HostScope, stored: StoredHost): Promise<Check[]> {
  const { lines, clock, beatBuffer } = scope;
  const host = beatBuffer.freshen(stored);
  const name = 'online';
  const seen = `seen ${new Date(host.seenAt).toISOString()}`;
  const unheard = unheardCheck(isSilent(host) ? 'silent' : 'lost', host.seenAt);
  if (!isOnline(host)) return [unheard];
  const asked = clock.now();
  try {
    const { checks, now } = await askHost(lines, host, hostCalls.examine, {});
    if (JSON.stringify(checks).length > maxPerHost) throw tooLong(host);
    // The host read its clock about halfway between request and answer.
    const measured = [checkClock(now - asked - (clock.now() - asked) / 2), ...checks];
    return [well(name, seen), ...checkReported(host, scope).filter((one) => isMissing(measured, one)), ...measured];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const latest = beatBuffer.freshen(stored);
    // A host that hangs or has left sends no beat either.
    if (latest.seenAt > asked) return [well(name, seen), unresponsiveCheck(), ...checkReported(latest, scope)];
    return [{ ...unheard, found: error.message.slice(0, maxPerHost) }];
  }
}

/** Whether a reported check says more than those that were made now: none has its name, or all of them passed. */
function isMissing(made: readonly Check[], { name, outcome }: Check): boolean {
  const same = made.filter((one) => one.name === name);
  return same.length === 0 || (outcome !== 'ok' && name !== clockCheck && same.every((one) => one.outcome === 'ok'));
}

function tooLong({ name }: StoredHost): Failure {
  return new Failure('ANSWER_TOO_LARGE', `Host ${quoted(name)} reports more than ${maxPerHost} characters`);
}
