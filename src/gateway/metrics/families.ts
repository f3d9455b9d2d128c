import { type LoadReading, readLoad } from '#contract/host/load-reading.ts';
import type { BusFigures, HostFigures, ProcessFigures, RegistryFigures } from '#contract/wire/figures.ts';
import type { AdmissionFigures } from '#gateway/http/admission.ts';
import type { CallFigures } from '#gateway/rpc/call-times.ts';
import { catalogue, type LabelOf, type MetricName } from './catalogue.ts';
import type { Family, Sample } from './exposition.ts';

/** The counters of a gateway itself. */
export interface GatewayFigures {
  readonly version: string;
  readonly calls: readonly CallFigures[];
  readonly admission: AdmissionFigures;
  readonly streams: number;
  readonly bus: BusFigures;
  /** In seconds; undefined if the bus did not answer. */
  readonly roundTrip: number | undefined;
  /** Undefined if the process is not measured. */
  readonly process: ProcessFigures | undefined;
}

type Samples = { readonly [N in MetricName]: readonly (Sample & { readonly labels?: LabelsOf<N> })[] };
type LabelsOf<N extends MetricName> = Readonly<Partial<Record<LabelOf<N>, string>>>;
/** A process of muster, as its labels name it. */
interface Member {
  readonly of: { readonly component: string; readonly host?: string; readonly registry?: string };
  readonly process: ProcessFigures | undefined;
  readonly bus: BusFigures;
}

/**
 * Every metric that has a value, in the order of the catalogue. Without figures of a registry, those of the gateway and
 * that the registry is away. What the database has, the first registry says for all.
 */
export function metricFamilies(own: GatewayFigures, registries: readonly RegistryFigures[]): readonly Family[] {
  const [registry] = registries;
  const named = namedRegistries(registries);
  const hosts = registry === undefined ? [] : namedHosts(registry.hosts);
  const members: Member[] = [
    { of: { component: 'gateway' }, process: own.process, bus: own.bus },
    ...named.map(({ labels, figures }) => ({ of: { component: 'registry', ...labels }, ...figures })),
    ...hosts.flatMap(({ host, figures }) => (figures ? [{ of: { component: 'host', host }, ...figures }] : [])),
  ];
  const samples: Partial<Samples> = {
    ...ownSamples(own),
    ...memberSamples(members),
    muster_registry_up: [{ value: registry === undefined ? 0 : 1 }],
    ...(registry === undefined ? {} : { ...storedSamples(registry), ...registrySamples(named), ...hostSamples(hosts) }),
  };
  return (Object.keys(catalogue) as MetricName[]).flatMap((name): Family[] => {
    const found = samples[name];
    const { type, help } = catalogue[name];
    return found === undefined ? [] : [{ name, type, help, samples: found }];
  });
}

function ownSamples({ version, calls, admission, streams, roundTrip }: GatewayFigures): Partial<Samples> {
  return {
    muster_build_info: [{ labels: { version, node_version: process.versions.node }, value: 1 }],
    muster_calls_in_flight: [{ value: admission.busy }],
    muster_calls_waiting: [{ value: admission.waiting }],
    muster_calls_refused_total: [{ value: admission.refused }],
    muster_streams_open: [{ value: streams }],
    muster_calls_total: calls.flatMap(({ operation, channel, codes }) =>
      Object.entries(codes).map(([code, value]) => ({ labels: { operation, channel, code }, value })),
    ),
    muster_call_duration_seconds: calls.map(({ operation, channel, times }) => ({
      labels: { operation, channel },
      value: times,
    })),
    ...(roundTrip === undefined ? {} : { muster_bus_round_trip_seconds: [{ value: roundTrip }] }),
  };
}

function memberSamples(members: readonly Member[]): Partial<Samples> {
  const each = <V>(read: (member: Member) => V) => members.map((one) => ({ labels: one.of, value: read(one) }));
  const ofProcess = (read: (figures: ProcessFigures) => number) =>
    members.flatMap(({ of, process }) => (process === undefined ? [] : [{ labels: of, value: read(process) }]));
  const bothWays = (read: (bus: BusFigures) => readonly [number, number]) =>
    members.flatMap(({ of, bus }) => {
      const [incoming, outgoing] = read(bus);
      return [
        { labels: { ...of, direction: 'in' }, value: incoming },
        { labels: { ...of, direction: 'out' }, value: outgoing },
      ];
    });
  return {
    muster_bus_connected: each(({ bus }) => (bus.connected ? 1 : 0)),
    muster_bus_request_duration_seconds: each(({ bus }) => bus.times),
    muster_bus_request_failures_total: each(({ bus }) => bus.failures),
    muster_bus_reconnects_total: each(({ bus }) => bus.reconnects),
    muster_bus_slow_consumers_total: each(({ bus }) => bus.slowConsumers),
    muster_bus_messages_total: bothWays(({ messagesIn, messagesOut }) => [messagesIn, messagesOut]),
    muster_bus_bytes_total: bothWays(({ bytesIn, bytesOut }) => [bytesIn, bytesOut]),
    muster_process_cpu_seconds_total: ofProcess(({ cpuSeconds }) => cpuSeconds),
    muster_process_resident_memory_bytes: ofProcess(({ residentBytes }) => residentBytes),
    muster_process_start_time_seconds: ofProcess(({ startedAt }) => startedAt),
    muster_process_event_loop_delay_seconds: ofProcess(({ eventLoopDelay }) => eventLoopDelay),
    muster_process_unhandled_errors_total: ofProcess((figures) => figures.unhandledErrors),
  };
}

/** The counts of the database, which are the same at every registry. */
function storedSamples({
  agents,
  lives,
  runs,
  effects,
  mailsWaiting,
  lastBackupAt,
  database,
}: RegistryFigures): Partial<Samples> {
  return {
    muster_agents: agents.map(({ state, standing, count }) => ({
      labels: { state: state.replace('AGENT_STATE_', '').toLowerCase(), standing },
      value: count,
    })),
    muster_machine_instances: lives.map(({ machine, state, count }) => ({ labels: { machine, state }, value: count })),
    muster_runs: runs.map(({ script, state, count }) => ({ labels: { script, state }, value: count })),
    muster_effects_waiting: Object.entries(effects).map(([kind, value]) => ({ labels: { kind }, value })),
    muster_mails_unread: [{ value: mailsWaiting }],
    ...(lastBackupAt !== undefined && { muster_last_backup_timestamp_seconds: [{ value: lastBackupAt }] }),
    muster_database_size_bytes: [{ value: database.bytes }],
    muster_database_wal_size_bytes: [{ value: database.walBytes }],
  };
}

/** A registry as metrics name it. */
interface LabelledRegistry {
  /** Empty if it is the only one. */
  readonly labels: { readonly registry?: string };
  readonly figures: RegistryFigures;
}

/** Registries by machine, with the start of the instance if several run on one. */
function namedRegistries(registries: readonly RegistryFigures[]): readonly LabelledRegistry[] {
  return registries.map((figures) => {
    const { machine = '', instance = '' } = figures.registry ?? {};
    const isTwice = registries.filter((other) => other.registry?.machine === machine).length > 1;
    const registry = isTwice ? `${machine}:${instance.slice(0, 8)}` : machine;
    return { labels: registries.length > 1 ? { registry } : {}, figures };
  });
}

/** The counts of each registry. */
function registrySamples(registries: readonly LabelledRegistry[]): Partial<Samples> {
  const each = <L extends object, V>(
    read: (figures: RegistryFigures) => readonly { readonly labels?: L; readonly value: V }[],
  ) =>
    registries.flatMap(({ labels, figures }) =>
      read(figures).map((sample) => ({ labels: { ...labels, ...(sample.labels as L) }, value: sample.value })),
    );
  return {
    muster_transitions_total: each(({ transitions }) =>
      transitions.map(({ machine, from, to, count }) => ({
        labels: { machine, from: from || 'none', to },
        value: count,
      })),
    ),
    muster_facts_total: each(({ facts }) =>
      Object.entries(facts).map(([kind, value]) => ({ labels: { kind }, value })),
    ),
    muster_firing_lateness_seconds: each(({ lateness }) => [{ value: lateness }]),
    muster_poller_pass_duration_seconds: each(({ pollers }) =>
      Object.entries(pollers).map(([poller, { passes }]) => ({ labels: { poller }, value: passes })),
    ),
    muster_poller_faults_total: each(({ pollers }) =>
      Object.entries(pollers).map(([poller, { faults }]) => ({ labels: { poller }, value: faults })),
    ),
    muster_worker_rows_total: each(({ workers }) =>
      Object.entries(workers).flatMap(([worker, outcomes]) =>
        Object.entries(outcomes).map(([outcome, value]) => ({ labels: { worker, outcome }, value })),
      ),
    ),
    muster_database_waiting: each(({ database }) => [{ value: database.waiting }]),
    muster_database_transaction_duration_seconds: each(({ database }) => [
      { labels: { kind: 'read' }, value: database.reads },
      { labels: { kind: 'write' }, value: database.writes },
    ]),
    muster_database_wait_seconds: each(({ database }) => [{ value: database.waits }]),
    muster_database_failures_total: each(({ database }) =>
      Object.entries(database.failures).map(([reason, value]) => ({ labels: { reason }, value })),
    ),
  };
}

interface NamedHost {
  readonly host: string;
  readonly online: boolean;
  readonly agents: number;
  readonly load: LoadReading;
  readonly figures: HostFigures | undefined;
}

/** Hosts by name, or by id if several share a name. The last values of a lost host are omitted as outdated. */
function namedHosts(hosts: RegistryFigures['hosts']): readonly NamedHost[] {
  return hosts.map(({ id, name, online, agents, load, figures }) => {
    const isTwice = hosts.filter((other) => other.name === name).length > 1;
    const labels = online ? { load: readLoad(load ?? {}), figures } : { load: readLoad({}), figures: undefined };
    return { host: isTwice ? id : name, online, agents, ...labels };
  });
}

function hostSamples(hosts: readonly NamedHost[]): Partial<Samples> {
  const effects = hosts.flatMap(({ host, figures }) =>
    Object.entries(figures?.effects ?? {}).map(([kind, effect]) => ({ labels: { host, kind }, ...effect })),
  );
  const shares = (of: (load: LoadReading) => { readonly share: number } | undefined) =>
    hosts.flatMap(({ host, load }) => {
      const value = of(load)?.share;
      return value === undefined ? [] : [{ labels: { host }, value }];
    });
  return {
    muster_host_up: hosts.map(({ host, online }) => ({ labels: { host }, value: online ? 1 : 0 })),
    muster_host_agents: hosts.map(({ host, agents }) => ({ labels: { host }, value: agents })),
    muster_host_load_per_cpu: shares(({ processors }) => processors),
    muster_host_memory_used_ratio: shares(({ memory }) => memory),
    muster_host_disk_used_ratio: shares(({ disk }) => disk),
    muster_effect_duration_seconds: effects.map(({ labels, times }) => ({ labels, value: times })),
    muster_effect_failures_total: effects.map(({ labels, failures }) => ({ labels, value: failures })),
    muster_commit_duration_seconds: hosts.flatMap(({ host, figures }) =>
      figures === undefined ? [] : [{ labels: { host }, value: figures.decisions }],
    ),
  };
}
