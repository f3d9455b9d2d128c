import { memoryUsage, resourceUsage, uptime } from 'node:process';
import type { BusFigures } from '#bus/bus.ts';
import type { RegistryFigures } from '#contract/wire/figures.ts';
import type { AdmissionFigures } from '../admission.ts';
import type { Family, Sample } from './exposition.ts';

/** What a gateway knows of itself. */
export interface OwnFigures {
  readonly version: string;
  readonly calls: readonly Sample[];
  readonly admission: AdmissionFigures;
  readonly streams: number;
  readonly bus: BusFigures & { readonly connected: boolean };
  /** In seconds; undefined where the bus did not answer. */
  readonly roundTrip: number | undefined;
  /** The 99th percentile of the delay of the event loop since the last scrape, in seconds. */
  readonly eventLoopDelay: number;
}

/** The metrics of a gateway's own process. */
export function ownFamilies(own: OwnFigures): readonly Family[] {
  const { userCPUTime, systemCPUTime } = resourceUsage();
  const { admission, bus } = own;
  return [
    gauge('muster_build_info', 'The version of muster that the gateway runs.', 1, { version: own.version }),
    {
      name: 'muster_call_seconds',
      help: 'How long calls took at the gateway, by operation, channel and code.',
      type: 'histogram',
      samples: own.calls,
    },
    gauge('muster_calls_busy', 'Calls that are worked on.', admission.busy),
    gauge('muster_calls_waiting', 'Calls that wait for their turn.', admission.waiting),
    counter(
      'muster_calls_refused_total',
      'Calls that were refused because there was more to do than can be done.',
      admission.refused,
    ),
    gauge('muster_streams_open', 'Watches that are open.', own.streams),
    gauge('muster_bus_connected', 'Whether the gateway’s connection to the bus stands.', bus.connected ? 1 : 0),
    counter('muster_bus_requests_total', 'Requests that the gateway sent over the bus.', bus.requests),
    counter('muster_bus_failures_total', 'Requests over the bus that were refused or not answered.', bus.failures),
    counter('muster_bus_reconnects_total', 'How often a lost connection to the bus came back.', bus.reconnects),
    ...(own.roundTrip === undefined
      ? []
      : [gauge('muster_bus_round_trip_seconds', 'How long the bus took to answer just now.', own.roundTrip)]),
    gauge(
      'muster_event_loop_delay_seconds',
      'The 99th percentile of the event loop’s delay since the last scrape.',
      own.eventLoopDelay,
    ),
    ...processFamilies('gateway', {
      residentBytes: memoryUsage.rss(),
      cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
      uptimeSeconds: uptime(),
    }),
  ];
}

/** The metrics that the registry knows; one alone, which says so, where it does not answer. */
export function registryFamilies(figures: RegistryFigures | undefined): readonly Family[] {
  const up = gauge(
    'muster_registry_up',
    'Whether the registry answered with its figures.',
    figures === undefined ? 0 : 1,
  );
  if (figures === undefined) return [up];
  const { agents, effects, firings, doorbells, mailsWaiting, facts, database } = figures;
  return [
    up,
    {
      name: 'muster_agents',
      help: 'Agents that are not deleted, by state and by whether they are archived.',
      type: 'gauge',
      samples: agents.map(({ state, standing, count }) => ({
        labels: { state: state.replace('AGENT_STATE_', '').toLowerCase(), standing },
        value: count,
      })),
    },
    byLabel(
      'muster_facts_total',
      'Facts since the registry started, by kind: the moves of every machine are among them.',
      'counter',
      'kind',
      facts,
    ),
    byLabel('muster_effects_outstanding', 'Effects that were asked for and are not done.', 'gauge', 'kind', effects),
    byLabel('muster_firings', 'Firings of schedules on record, by state.', 'gauge', 'state', firings),
    byLabel(
      'muster_doorbells_open',
      'Doorbells that are open, by whether their agent was told.',
      'gauge',
      'state',
      doorbells,
    ),
    gauge('muster_mails_waiting', 'Mails that were not taken.', mailsWaiting),
    gauge('muster_database_bytes', 'The size of the database.', database.bytes),
    gauge('muster_database_wal_bytes', 'The size of the database’s write-ahead log.', database.walBytes),
    {
      name: 'muster_database_write_seconds',
      help: 'How long writes of the database took.',
      type: 'histogram',
      samples: [{ value: database.writes }],
    },
    ...processFamilies('registry', figures.process),
  ];
}

function processFamilies(process: string, figures: RegistryFigures['process']): readonly Family[] {
  const prefix = `muster_${process}_process`;
  return [
    gauge(`${prefix}_resident_bytes`, `The memory of the ${process}.`, figures.residentBytes),
    counter(`${prefix}_cpu_seconds_total`, `The processor time of the ${process}.`, figures.cpuSeconds),
    gauge(`${prefix}_uptime_seconds`, `How long the ${process} runs.`, figures.uptimeSeconds),
  ];
}

function gauge(name: string, help: string, value: number, labels: Readonly<Record<string, string>> = {}): Family {
  return { name, help, type: 'gauge', samples: [{ labels, value }] };
}

function counter(name: string, help: string, value: number): Family {
  return { name, help, type: 'counter', samples: [{ value }] };
}

function byLabel(
  name: string,
  help: string,
  type: 'counter' | 'gauge',
  label: string,
  values: Readonly<Record<string, number>>,
): Family {
  return {
    name,
    help,
    type,
    samples: Object.entries(values).map(([text, value]) => ({ labels: { [label]: text }, value })),
  };
}
