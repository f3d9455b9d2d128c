import { createClient } from '@connectrpc/connect';
import { useQuery } from '@tanstack/react-query';
import { transport } from '#page/api/clients.ts';
import { type CheckedPart, CheckOutcome, HostService } from '#page/client/host/v1/host_pb.js';

const hosts = createClient(HostService, transport);

/** One line: what was looked at, what was found, and what to do if it is not well. */
export interface Finding {
  readonly name: string;
  readonly outcome: 'fail' | 'warn' | 'ok';
  readonly found: string;
  readonly mend: string;
}

/** A part of muster, with what is wrong first. */
export interface Part {
  readonly id: string;
  readonly title: string;
  /** What it is, in a few words. */
  readonly about: string;
  readonly findings: readonly Finding[];
}

/** What the registry and every host find of their machines, every half a minute while the screen is open. */
export function useDoctor() {
  return useQuery({
    queryKey: ['doctor'],
    queryFn: async ({ signal }) => (await hosts.runDoctor({}, { signal })).parts.map(partOf),
    refetchInterval: 30_000,
  });
}

/** What the gateway says of what it needs to answer, every five seconds: also while that answers nothing. */
export function useGateway() {
  return useQuery({ queryKey: ['readyz'], queryFn: ({ signal }) => askGateway(signal), refetchInterval: 5_000 });
}

const ranks: Readonly<Record<Finding['outcome'], number>> = { fail: 0, warn: 1, ok: 2 };

/** The worst outcome of a part: the lower, the worse. */
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
            ...(said.hosts === undefined
              ? []
              : [toFinding('hosts', said.hosts, 'warn', 'start `muster host` on those that are lost; see Hosts')]),
          ],
  };
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
