import { randomBytes } from 'node:crypto';
import { type HandshakeTranscript, hostSideSession, registrySideSession } from '#bus/host-line/host-session.ts';
import { makeKeyPair } from '#bus/seal/key-pair.ts';
import { report } from '../stage/report.ts';

const rounds = 5_000;

/** Measures sealing and opening a message between a host and the registry, and beginning their session. */
export async function benchBusSeal(): Promise<void> {
  const [own, moment, registryMoment] = [makeKeyPair(), makeKeyPair(), makeKeyPair()];
  const greeting: HandshakeTranscript = {
    hostId: 'hst_1',
    session: randomBytes(16).toString('base64url'),
    hostKey: own.publicKey,
    hostMoment: moment.publicKey,
    registryMoment: registryMoment.publicKey,
  };
  const [host, registry] = [hostSideSession(greeting, own, moment), registrySideSession(greeting, registryMoment)];
  const exchange = (bytes: number) => {
    const body = randomBytes(bytes);
    const { data, open } = host.sealRequest('registry.from.hst_1.commit', body);
    const opened = registry.openRequest('registry.from.hst_1.commit', data);
    if (opened === undefined || open(opened.seal(body)) === undefined) throw new Error('it was not opened');
  };
  const sizes = [300, 3_000, 30_000, 300_000];
  const rows = sizes.map((bytes) => [`${bytes} bytes asked and answered`, perRound(rounds, () => exchange(bytes))]);
  const begun = perRound(200, () => void hostSideSession(greeting, makeKeyPair(), makeKeyPair()));
  report(
    'a sealed exchange',
    'Request and answer, each sealed and opened, in one process.',
    ['of', 'µs of CPU'],
    [...rows, ['one side begins a session', begun]],
  );
}

function perRound(count: number, work: () => void): string {
  for (let warm = 0; warm < count / 10; warm += 1) work();
  const started = process.cpuUsage();
  for (let round = 0; round < count; round += 1) work();
  const { user, system } = process.cpuUsage(started);
  return ((user + system) / count).toFixed(1);
}
