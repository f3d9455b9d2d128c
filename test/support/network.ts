import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAuthority } from './certificates.ts';
import { ownProgram, type Piece, type PiecesBus, setUpPlainBus } from './pieces.ts';
import { type Delay, Relay, type Way } from './relay.ts';

/** The pieces that are machines of their own on the network; everything else is with the bus. */
const machines = ['host', 'otherHost'] as const;
export type Machine = (typeof machines)[number];

/**
 * A network between the bus and hosts. A test can cut each host off, so that nothing arrives and no error is reported.
 */
export interface Network {
  /** Its parts. */
  readonly kind: 'namespaces' | 'relays';
  /** Sets up the bus that is reached through it. */
  setUpBus(run: string): Promise<PiecesBus>;
  programOf(piece: Piece): ReturnType<typeof ownProgram>;
  cut(machine: Machine): void;
  /** Loses what a machine sends, or what it is sent. */
  lose(machine: Machine, way: Way): void;
  mend(machine: Machine): void;
  close(): Promise<void>;
}

/**
 * Lays one of network namespaces over a bridge, or of relays if this machine allows no namespaces or a run asks for
 * them.
 */
export function layNetwork(): Promise<Network> {
  return process.env['MUSTER_TEST_NETWORK'] !== 'relays' && mayHaveNamespaces() ? layNamespaces() : layRelays();
}

/** A network of relays, which can also be slow. */
export interface RelayedNetwork extends Network {
  slow(machine: Machine, delay: Delay): void;
}

/** An address on the link that no machine has: what is sent there is lost without a word. */
const nobody = '02:00:00:00:00:99';

const isMachine = (piece: Piece): piece is Machine => machines.some((one) => one === piece);
const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });

function mayHaveNamespaces(): boolean {
  const name = `muster-try-${process.pid}`;
  if (process.platform !== 'linux' || spawnSync('ip', ['netns', 'add', name]).status !== 0) return false;
  const [veth, peer] = [`mt${process.pid}`, `mu${process.pid}`];
  const isAllowed =
    spawnSync('ip', ['-n', name, 'link', 'add', veth, 'type', 'veth', 'peer', 'name', peer]).status === 0 &&
    spawnSync('ip', ['-n', name, 'link', 'add', 'bridge0', 'type', 'bridge']).status === 0;
  ip('netns', 'delete', name);
  return isAllowed;
}

/** Hosts in separate network namespaces on a bridge with the bus over TLS. A cut disconnects a host from the bridge. */
async function layNamespaces(): Promise<Network> {
  const mark = process.pid.toString(36);
  const [subnet, bridge] = [`10.${randomInt(64, 255)}.${randomInt(255)}`, `mb${mark}`];
  const ends = new Map(
    machines.map((machine, at) => [machine, { space: `muster-${mark}-${at}`, veth: `mv${mark}-${at}` }]),
  );
  const endOf = (machine: Machine) => ends.get(machine) ?? { space: '', veth: '' };
  /** Who sends what goes one way: where it is, to which address, and by which device. */
  const senderOf = (machine: Machine, way: Way) =>
    way === 'sent'
      ? { space: ['-n', endOf(machine).space], to: `${subnet}.1`, device: 'eth0' }
      : { space: [], to: `${subnet}.${machines.indexOf(machine) + 2}`, device: bridge };
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('address', 'add', `${subnet}.1/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  for (const [at, { space, veth }] of [...ends.values()].entries()) {
    ip('netns', 'add', space);
    ip('link', 'add', veth, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    ip('link', 'set', veth, 'master', bridge, 'up');
    ip('-n', space, 'address', 'add', `${subnet}.${at + 2}/24`, 'dev', 'eth0');
    for (const one of ['lo', 'eth0']) ip('-n', space, 'link', 'set', one, 'up');
  }
  return {
    kind: 'namespaces',
    setUpBus: (run) => encryptedBus(run, `${subnet}.1`),
    programOf(piece) {
      return isMachine(piece) ? ['ip', 'netns', 'exec', endOf(piece).space, ...ownProgram(piece)] : ownProgram(piece);
    },
    cut: (machine) => void ip('link', 'set', endOf(machine).veth, 'nomaster'),
    lose(machine, way) {
      const { space, to, device } = senderOf(machine, way);
      ip(...space, 'neighbour', 'replace', to, 'lladdr', nobody, 'dev', device, 'nud', 'permanent');
    },
    mend(machine) {
      ip('link', 'set', endOf(machine).veth, 'master', bridge);
      for (const way of ['sent', 'received'] as const) {
        const { space, to, device } = senderOf(machine, way);
        spawnSync('ip', [...space, 'neighbour', 'delete', to, 'dev', device]);
      }
    },
    async close() {
      for (const { space, veth } of ends.values()) {
        ip('link', 'delete', veth);
        ip('netns', 'delete', space);
      }
      ip('link', 'delete', bridge);
    },
  };
}

/** A bus at an address that other machines reach: muster joins it by TLS alone. */
async function encryptedBus(run: string, address: string): Promise<PiecesBus> {
  const setup = await setUpPlainBus(run);
  const authority = makeAuthority(run);
  const { cert, key } = authority.sign('bus', `IP:${address}`);
  const file = join(run, 'nats-server.conf');
  writeFileSync(file, readFileSync(file, 'utf8').replace('host: "127.0.0.1"', `host: "${address}"`));
  appendFileSync(file, `tls { cert_file: ${JSON.stringify(cert)}, key_file: ${JSON.stringify(key)} }\n`);
  return { ...setup, addressOf: (url) => url.replace(/^nats:/, 'tls:'), authority: authority.cert };
}

/** A relay before each host, on loopback: one that is cut holds connections open and passes nothing on. */
export async function layRelays(): Promise<RelayedNetwork> {
  let bus = 0;
  const relays = new Map<Machine, Relay>();
  for (const machine of machines) relays.set(machine, await Relay.open(() => bus));
  return {
    kind: 'relays',
    setUpBus: async (run) => ({
      ...(await setUpPlainBus(run)),
      addressOf(url, piece) {
        bus = Number(new URL(url).port);
        return isMachine(piece) ? `nats://127.0.0.1:${relays.get(piece)?.port}` : url;
      },
    }),
    programOf: ownProgram,
    cut: (machine) => relays.get(machine)?.cut(),
    lose: (machine, way) => relays.get(machine)?.lose(way),
    slow: (machine, delay) => relays.get(machine)?.slow(delay),
    mend: (machine) => relays.get(machine)?.mend(),
    close: async () => void (await Promise.all([...relays.values()].map((relay) => relay.close()))),
  };
}
