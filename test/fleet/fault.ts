import { setTimeout as pause } from 'node:timers/promises';
import { type DrillFleet, gateways, hosts, registries } from './fleet.ts';

/** A fault that a drill makes. */
export interface Fault {
  /** What it does, such as `kill a registry`. */
  readonly kind: FaultKind;
  /** Whom it strikes, such as `registry-2`; empty if that is the server that is the primary or the standby then. */
  readonly victim: string;
  /** How long it lasts, in milliseconds; 0 if the victim is restarted immediately. */
  readonly lastsMs: number;
  /** How long all is well before it, in milliseconds. */
  readonly afterMs: number;
}

const nats = ['nats-1', 'nats-2', 'nats-3'] as const;

/** How long a partition or a hang lasts, in milliseconds. */
const [shortest, longest] = [3_000, 25_000];

/** Every kind of fault: whom it may strike, and whether it lasts. */
const kinds = {
  'kill a registry': { victims: registries, lasts: false },
  'kill the primary, promote the standby': { victims: [''], lasts: false },
  'kill a NATS server': { victims: nats, lasts: false },
  'kill a gateway': { victims: gateways, lasts: false },
  'kill a host': { victims: hosts, lasts: false },
  'kill the standby': { victims: [''], lasts: false },
  'cut a registry off from PostgreSQL': { victims: registries, lasts: true },
  'cut a registry off from NATS': { victims: registries, lasts: true },
  'cut a NATS server off': { victims: nats, lasts: true },
  'cut a host off': { victims: hosts, lasts: true },
  'stop a registry (SIGSTOP)': { victims: registries, lasts: true },
} as const;
export type FaultKind = keyof typeof kinds;

/** Whether a kind ends a process at once, rather than keeping it from others for a while. */
export function isKill(kind: FaultKind): boolean {
  return !kinds[kind].lasts;
}

/** The faults of a drill, as its seed decides them: each kind in turn, in a shuffled order. */
export function planFaults(count: number, random: () => number): Fault[] {
  const faults: Fault[] = [];
  while (faults.length < count) {
    const round = Object.keys(kinds) as FaultKind[];
    while (round.length > 0 && faults.length < count) {
      const [kind] = round.splice(Math.floor(random() * round.length), 1);
      if (kind === undefined) break;
      const { victims, lasts } = kinds[kind];
      const victim = victims[Math.floor(random() * victims.length)] ?? '';
      const lastsMs = lasts ? Math.round(shortest + random() * (longest - shortest)) : 0;
      faults.push({ kind, victim, lastsMs, afterMs: Math.round(500 + random() * 1_500) });
    }
  }
  return faults;
}

/** Makes a fault, and ends it: everything runs again then, though it may still have to find together. */
export async function strike(fleet: DrillFleet, { kind, victim, lastsMs }: Fault): Promise<void> {
  switch (kind) {
    case 'kill a NATS server':
      await fleet.cluster.kill(victim);
      return fleet.cluster.start(victim);
    case 'kill the primary, promote the standby':
      await fleet.pair.failOver();
      return fleet.pair.rebuildStandby();
    case 'kill the standby':
      await fleet.pair.kill(fleet.pair.standby);
      return fleet.pair.restart(fleet.pair.standby);
    case 'kill a registry':
    case 'kill a gateway':
    case 'kill a host':
      await fleet.kill(victim);
      return fleet.start(victim);
    case 'stop a registry (SIGSTOP)':
      fleet.signal(victim, 'SIGSTOP');
      await pause(lastsMs);
      return fleet.signal(victim, 'SIGCONT');
    default: {
      const isCut = cutBy(kind, victim);
      fleet.links.cut(isCut);
      await pause(lastsMs);
      return fleet.links.mend(isCut);
    }
  }
}

/** Which links a partition cuts. */
function cutBy(kind: FaultKind, victim: string): (from: string, to: string) => boolean {
  if (kind === 'cut a NATS server off') return (from, to) => from === victim || to === victim;
  const servers = kind === 'cut a registry off from PostgreSQL' ? 'postgres-' : 'nats-';
  return (from, to) => from === victim && to.startsWith(servers);
}
