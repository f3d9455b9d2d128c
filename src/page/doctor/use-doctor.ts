import { createClient } from '@connectrpc/connect';
import { useQuery } from '@tanstack/react-query';
import { transport } from '#page/api/clients.ts';
import { type CheckedPart, CheckOutcome, HostService } from '#page/client/host/v1/host_pb.js';

const hosts = createClient(HostService, transport);

/** A check: its name, what was found, and how to fix it if it failed. */
export interface Finding {
  readonly name: string;
  readonly outcome: 'fail' | 'warn' | 'ok';
  readonly found: string;
  readonly mend: string;
}

/** A component of muster, with its failed checks first. */
export interface Part {
  readonly id: string;
  readonly title: string;
  /** Its purpose, in a few words. */
  readonly about: string;
  readonly findings: readonly Finding[];
}

/** The checks of the registry and all hosts, repeated every 30 seconds while the screen is open. */
export function useDoctor() {
  return useQuery({
    queryKey: ['doctor'],
    queryFn: async ({ signal }) => (await hosts.runDoctor({}, { signal })).parts.map(partOf),
    refetchInterval: 30_000,
  });
}

/** The gateway's readiness checks, repeated every five seconds, even while it cannot answer other calls. */
export function useGateway() {
  return useQuery({ queryKey: ['readyz'], queryFn: ({ signal }) => askGateway(signal), refetchInterval: 5_000 });
}

const ranks: Readonly<Record<Finding['outcome'], number>> = { fail: 0, warn: 1, ok: 2 };

/** The rank of a component's worst outcome: the lower, the worse. */
export function worstRank({ findings }: Part): number {
  return Math.min(...findings.map(({ outcome }) => ranks[outcome]));
}

function partOf({ name, hostId, checks }: CheckedPart): Part {
  const findings = checks.map(({ name: what, outcome, found, mend }) => ({
    name: what,
    outcome: outcome === CheckOutcome.OK ? 'ok' : outcome === CheckOutcome.FAILURE ? 'fail' : 'warn',
    found,
    mend,
  })) satisfies Finding[];
  return {
    id: hostId || name,
    title: hostId === '' ? 'Registry' : name,
    about: hostId === '' ? 'owns the database and decides' : 'a machine that agents run on',
    findings: findings.sort((one, other) => ranks[one.outcome] - ranks[other.outcome]),
  };
}

interface Readiness {
  readonly ok: boolean;
  readonly why?: string;
}

async function askGateway(signal: AbortSignal): Promise<Part> {
  const said = await fetch('/readyz', { signal }).then(
    async (answer) =>
      (await answer.json()) as {
        readonly bus: Readiness;
        readonly registry: Readiness;
        readonly registries?: readonly (Readiness & { readonly machine: string })[];
        readonly hosts?: Readiness;
      },
    () => undefined,
  );
  return {
    id: 'gateway',
    title: 'Gateway',
    about: 'serves this page and every call',
    findings:
      said === undefined
        ? [
            {
              name: 'gateway',
              outcome: 'fail',
              found: 'it does not answer',
              mend: 'start muster, or see `muster logs gateway`',
            },
          ]
        : [
            toFinding('bus', said.bus, 'fail', 'check whether nats-server runs: once it does, everything recovers'),
            toFinding(
              'registry',
              said.registry,
              'fail',
              'see `muster logs registry`: until it answers, every call fails',
            ),
            ...severalOf(said.registries),
            ...(said.hosts === undefined
              ? []
              : [toFinding('hosts', said.hosts, 'warn', 'start `muster host` on those that are lost; see Hosts')]),
          ],
  };
}

/** Each registry, if there are several: `registry` is whichever has answered. */
function severalOf(registries: readonly (Readiness & { readonly machine: string })[] = []): Finding[] {
  if (registries.length < 2) return [];
  const mend = 'see the log of that registry: the others continue without it';
  return registries.map((one) => toFinding(`registry on ${one.machine}`, one, 'warn', mend));
}

function toFinding(
  name: string,
  { ok, why = 'it does not answer' }: Readiness,
  otherwise: 'fail' | 'warn',
  mend: string,
): Finding {
  return ok
    ? { name, outcome: 'ok', found: name === 'hosts' ? 'all are online' : 'it answers', mend: '' }
    : { name, outcome: otherwise, found: why, mend };
}
