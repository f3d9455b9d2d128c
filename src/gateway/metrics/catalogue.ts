/** What a metric is, as Prometheus and people are told it. Labels hold words of muster's own and names of hosts alone. */
export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
}

const ofProcess = ['component', 'host'] as const;

/** Every metric that is served, by name and in the order in which they are served. */
export const catalogue = {
  muster_build_info: { type: 'gauge', labels: ['version', 'node_version'], help: 'What the gateway runs; always 1.' },
  muster_registry_up: { type: 'gauge', labels: [], help: 'Whether the registry answered with its figures.' },
  muster_host_up: { type: 'gauge', labels: ['host'], help: 'Whether the host has beaten lately.' },
  muster_host_agents: { type: 'gauge', labels: ['host'], help: 'Agents placed on the host that are not archived.' },
  muster_host_load_per_cpu: {
    type: 'gauge',
    labels: ['host'],
    help: 'Programs that ran or waited to run on the host’s machine over the last minute, for each of its processors.',
  },
  muster_host_memory_used_ratio: {
    type: 'gauge',
    labels: ['host'],
    help: 'The part of the host’s memory that cannot be given to a program that asks for it, from 0 to 1.',
  },
  muster_host_disk_used_ratio: {
    type: 'gauge',
    labels: ['host'],
    help: 'The part of the disk that is taken on which the host’s worktrees stand, from 0 to 1.',
  },

  muster_agents: {
    type: 'gauge',
    labels: ['state', 'standing'],
    help: 'Agents that are not deleted, by what their panes show and by whether they are archived.',
  },
  muster_lives: {
    type: 'gauge',
    labels: ['machine', 'state'],
    help: 'Lives of every machine but the agent’s: firings and doorbells on record, hosts, released reviews, schedules, sweeps.',
  },
  muster_runs: { type: 'gauge', labels: ['script', 'state'], help: 'Runs of workflows’ scripts on record.' },
  muster_transitions_total: {
    type: 'counter',
    labels: ['machine', 'from', 'to'],
    help: 'Moves of every machine since the registry started; from is none for the beginning of a life.',
  },
  muster_facts_total: { type: 'counter', labels: ['kind'], help: 'Facts told since the registry started.' },

  muster_effects_waiting: { type: 'gauge', labels: ['kind'], help: 'Effects that are committed and not done.' },
  muster_mails_unread: { type: 'gauge', labels: [], help: 'Mails that were not taken.' },
  muster_calls_in_flight: { type: 'gauge', labels: [], help: 'Calls that the gateway works on.' },
  muster_calls_waiting: { type: 'gauge', labels: [], help: 'Calls that wait at the gateway for their turn.' },
  muster_streams_open: { type: 'gauge', labels: [], help: 'Watches that are open at the gateway.' },
  muster_database_waiting: { type: 'gauge', labels: [], help: 'Reads and writes that wait for their turn.' },

  muster_calls_total: {
    type: 'counter',
    labels: ['operation', 'channel', 'code'],
    help: 'Calls at the gateway, by what came of them; ok, or a code of failure.',
  },
  muster_call_duration_seconds: {
    type: 'histogram',
    labels: ['operation', 'channel'],
    help: 'How long calls took at the gateway.',
  },
  muster_calls_refused_total: {
    type: 'counter',
    labels: [],
    help: 'Calls that were refused because there was more to do than can be done.',
  },
  muster_effect_duration_seconds: {
    type: 'histogram',
    labels: ['host', 'kind'],
    help: 'How long effects took on their host, with every attempt.',
  },
  muster_effect_failures_total: { type: 'counter', labels: ['host', 'kind'], help: 'Effects that failed for good.' },
  muster_commit_duration_seconds: {
    type: 'histogram',
    labels: ['host'],
    help: 'How long it took from an agent’s decision on its host until it was committed.',
  },
  muster_firing_lateness_seconds: {
    type: 'histogram',
    labels: [],
    help: 'How long after its time a firing was taken up.',
  },

  muster_bus_connected: { type: 'gauge', labels: ofProcess, help: 'Whether the connection to the bus stands.' },
  muster_bus_round_trip_seconds: {
    type: 'gauge',
    labels: [],
    help: 'How long the bus took to answer the gateway just now; left out where it did not.',
  },
  muster_bus_request_duration_seconds: {
    type: 'histogram',
    labels: ofProcess,
    help: 'How long requests over the bus took, whatever came of them.',
  },
  muster_bus_request_failures_total: {
    type: 'counter',
    labels: ofProcess,
    help: 'Requests over the bus that were refused or not answered.',
  },
  muster_bus_reconnects_total: { type: 'counter', labels: ofProcess, help: 'How often a lost connection came back.' },
  muster_bus_slow_consumers_total: {
    type: 'counter',
    labels: ofProcess,
    help: 'How often the process did not keep up with its messages.',
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
    labels: ['kind'],
    help: 'How long reads and writes took, without the wait for their turn.',
  },
  muster_database_wait_seconds: {
    type: 'histogram',
    labels: [],
    help: 'How long reads and writes waited for their turn.',
  },
  muster_database_failures_total: {
    type: 'counter',
    labels: ['reason'],
    help: 'Reads and writes that the database failed, by SQLite’s word: busy, full, ioerr, corrupt.',
  },

  muster_process_cpu_seconds_total: { type: 'counter', labels: ofProcess, help: 'Processor time of the process.' },
  muster_process_resident_memory_bytes: { type: 'gauge', labels: ofProcess, help: 'Memory of the process.' },
  muster_process_start_time_seconds: {
    type: 'gauge',
    labels: ofProcess,
    help: 'When the process was started, in seconds since 1970.',
  },
  muster_process_event_loop_delay_seconds: {
    type: 'gauge',
    labels: ofProcess,
    help: 'How late its event loop is: the 99th percentile of the last ten seconds or so.',
  },
  muster_process_unhandled_errors_total: {
    type: 'counter',
    labels: ofProcess,
    help: 'Errors that nobody handled since it was started: each is a fault of muster’s own, and its log says where.',
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof catalogue;
/** The labels that a metric may have. */
export type LabelOf<N extends MetricName> = (typeof catalogue)[N]['labels'][number];
