/**
 * The description of a metric, for Prometheus and people. Labels contain only muster's own words and names of hosts.
 */
export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
}

const ofProcess = ['component', 'host', 'registry'] as const;

/** Every metric by name, in the order of the output. */
export const catalogue = {
  muster_build_info: {
    type: 'gauge',
    labels: ['version', 'node_version'],
    help: 'The version that the gateway runs; always 1.',
  },
  muster_registry_up: { type: 'gauge', labels: [], help: 'Whether the registry answered with its metrics.' },
  muster_host_up: { type: 'gauge', labels: ['host'], help: 'Whether the host sent a beat lately.' },
  muster_host_agents: { type: 'gauge', labels: ['host'], help: 'Agents placed on the host that are not archived.' },
  muster_host_load_per_cpu: {
    type: 'gauge',
    labels: ['host'],
    help: 'Load average of the host’s machine over the last minute, per processor.',
  },
  muster_host_memory_used_ratio: {
    type: 'gauge',
    labels: ['host'],
    help: 'The share of the host’s memory that is not available to programs, from 0 to 1.',
  },
  muster_host_disk_used_ratio: {
    type: 'gauge',
    labels: ['host'],
    help: 'The used share of the disk that holds the host’s worktrees, from 0 to 1.',
  },

  muster_agents: {
    type: 'gauge',
    labels: ['state', 'standing'],
    help: 'Agents that are not deleted, by what their panes show and by whether they are archived.',
  },
  muster_machine_instances: {
    type: 'gauge',
    labels: ['machine', 'state'],
    help: 'Instances of every machine but the agent’s: firings and doorbells on record, hosts, released reviews, schedules, sweeps.',
  },
  muster_runs: { type: 'gauge', labels: ['script', 'state'], help: 'Runs of workflows’ scripts on record.' },
  muster_transitions_total: {
    type: 'counter',
    labels: ['machine', 'from', 'to', 'registry'],
    help: 'Transitions of every machine since the registry started; from is none for a new instance.',
  },
  muster_facts_total: {
    type: 'counter',
    labels: ['kind', 'registry'],
    help: 'Facts recorded since the registry started.',
  },

  muster_effects_waiting: { type: 'gauge', labels: ['kind'], help: 'Effects that are committed but not done.' },
  muster_mails_unread: { type: 'gauge', labels: [], help: 'Mails that were not taken.' },
  muster_last_backup_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    help: 'When the last scheduled backup was made; absent if none was.',
  },
  muster_calls_in_flight: { type: 'gauge', labels: [], help: 'Calls in progress at the gateway.' },
  muster_calls_waiting: { type: 'gauge', labels: [], help: 'Calls waiting at the gateway for their turn.' },
  muster_streams_open: { type: 'gauge', labels: [], help: 'Watches that are open at the gateway.' },
  muster_database_waiting: { type: 'gauge', labels: ['registry'], help: 'Reads and writes waiting for their turn.' },

  muster_calls_total: {
    type: 'counter',
    labels: ['operation', 'channel', 'code'],
    help: 'Calls at the gateway, by result: ok, or a failure code.',
  },
  muster_call_duration_seconds: {
    type: 'histogram',
    labels: ['operation', 'channel'],
    help: 'How long calls took at the gateway.',
  },
  muster_calls_refused_total: {
    type: 'counter',
    labels: [],
    help: 'Calls refused for overload.',
  },
  muster_effect_duration_seconds: {
    type: 'histogram',
    labels: ['host', 'kind'],
    help: 'How long effects took on their host, including every attempt.',
  },
  muster_effect_failures_total: { type: 'counter', labels: ['host', 'kind'], help: 'Effects that failed for good.' },
  muster_commit_duration_seconds: {
    type: 'histogram',
    labels: ['host'],
    help: 'Time from an agent’s decision on its host to its commit.',
  },
  muster_firing_lateness_seconds: {
    type: 'histogram',
    labels: ['registry'],
    help: 'How late a firing started.',
  },
  muster_poller_pass_duration_seconds: {
    type: 'histogram',
    labels: ['poller', 'registry'],
    help: 'How long a pass of the registry’s pollers took, including failed ones.',
  },
  muster_poller_faults_total: {
    type: 'counter',
    labels: ['poller', 'registry'],
    help: 'Failed passes of the registry’s pollers.',
  },
  muster_worker_rows_total: {
    type: 'counter',
    labels: ['worker', 'outcome', 'registry'],
    help: 'Firings and repositories that workers finished: settled, released at a stop, lost with their lease, or failed.',
  },

  muster_bus_connected: { type: 'gauge', labels: ofProcess, help: 'Whether the bus is connected.' },
  muster_bus_round_trip_seconds: {
    type: 'gauge',
    labels: [],
    help: 'How long the bus took to answer the gateway just now; absent if it did not.',
  },
  muster_bus_request_duration_seconds: {
    type: 'histogram',
    labels: ofProcess,
    help: 'How long requests over the bus took, including failed ones.',
  },
  muster_bus_request_failures_total: {
    type: 'counter',
    labels: ofProcess,
    help: 'Requests over the bus that were refused or not answered.',
  },
  muster_bus_reconnects_total: {
    type: 'counter',
    labels: ofProcess,
    help: 'How many times a lost connection was restored.',
  },
  muster_bus_slow_consumers_total: {
    type: 'counter',
    labels: ofProcess,
    help: 'How many times the process fell behind its messages.',
  },
  muster_bus_messages_total: { type: 'counter', labels: [...ofProcess, 'direction'], help: 'Messages, in and out.' },
  muster_bus_bytes_total: {
    type: 'counter',
    labels: [...ofProcess, 'direction'],
    help: 'Bytes of messages, in and out.',
  },

  muster_database_size_bytes: { type: 'gauge', labels: [], help: 'The size of the database.' },
  muster_database_wal_size_bytes: { type: 'gauge', labels: [], help: 'The size of its write-ahead log.' },
  muster_database_transaction_duration_seconds: {
    type: 'histogram',
    labels: ['kind', 'registry'],
    help: 'How long reads and writes took, without the wait for their turn.',
  },
  muster_database_wait_seconds: {
    type: 'histogram',
    labels: ['registry'],
    help: 'How long reads and writes waited for their turn.',
  },
  muster_database_failures_total: {
    type: 'counter',
    labels: ['reason', 'registry'],
    help: 'Failed reads and writes, by kind of error: of SQLite busy, full, ioerr, corrupt; of PostgreSQL unavailable, contended, unknown.',
  },

  muster_process_cpu_seconds_total: { type: 'counter', labels: ofProcess, help: 'Processor time of the process.' },
  muster_process_resident_memory_bytes: { type: 'gauge', labels: ofProcess, help: 'Memory of the process.' },
  muster_process_start_time_seconds: {
    type: 'gauge',
    labels: ofProcess,
    help: 'When the process started, in seconds since 1970.',
  },
  muster_process_event_loop_delay_seconds: {
    type: 'gauge',
    labels: ofProcess,
    help: 'How late its event loop is: the 99th percentile of the last ten seconds or so.',
  },
  muster_process_unhandled_errors_total: {
    type: 'counter',
    labels: ofProcess,
    help: 'Unhandled errors since the process started: each is a bug in muster, and its log says where.',
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof catalogue;
/** The labels that a metric may have. */
export type LabelOf<N extends MetricName> = (typeof catalogue)[N]['labels'][number];
