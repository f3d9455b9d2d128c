import { catalogue } from '#gateway/metrics/catalogue.ts';

const opening = `# Watching muster

\`GET /metrics\` serves metrics in the text format of [Prometheus](https://prometheus.io). If no other machine can reach the
gateway, everybody on this machine may read it; otherwise it requires the operator's token as \`Authorization: Bearer …\`. One scrape
is one request to the registry. The registry counts its tables at most once a second, and adds what each host sent with its last
beat (every 5 s).

\`\`\`yaml
scrape_configs:
  - job_name: muster
    static_configs: [{ targets: ["127.0.0.1:7433"] }]
\`\`\`

No name or id of an agent is a label, so a fleet of any size gives the same few hundred lines. \`component\` is \`gateway\`,
\`registry\` or \`host\`; \`host\` is the host's name, or its id if two share a name. A count of zero has no line: an
empty state is absent, not 0. A lost host has only \`muster_host_up 0\`. If the registry does not answer,
\`muster_registry_up\` is 0 and only the gateway's own metrics remain. Calls about a reviewer's unreleased comments are
not counted. \`npm run docs\` generates the table from the list that is served.
`;

const queries = `
## Common queries

| question | PromQL |
|---|---|
| agents waiting for a person | \`sum(muster_agents{state="waiting", standing="present"}) or vector(0)\` |
| 95th percentile of call duration, by operation | \`histogram_quantile(0.95, sum by (operation, le) (rate(muster_call_duration_seconds_bucket[5m])))\` |
| agents that come to rest per minute | \`60 * sum(rate(muster_transitions_total{machine="agent", to="live.idle"}[5m]))\` |
| share of calls that fail because of muster | \`sum(rate(muster_calls_total{code=~"internal\\|unavailable\\|deadline_exceeded"}[5m])) / sum(rate(muster_calls_total[5m]))\` |
| processor cores used by muster, without agents | \`sum(rate(muster_process_cpu_seconds_total[5m]))\` |

## Alerts

\`\`\`yaml
groups:
  - name: muster
    rules:
      - alert: MusterRegistryAway
        expr: muster_registry_up == 0
        for: 1m
      - alert: MusterHostAway
        expr: muster_host_up == 0
        for: 2m
      - alert: MusterHostFillsUp
        expr: muster_host_disk_used_ratio > 0.9 or muster_host_memory_used_ratio > 0.95
        for: 5m
      - alert: MusterEffectsPileUp
        expr: sum(muster_effects_waiting) > 20
        for: 10m
      - alert: MusterDatabaseFails
        expr: increase(muster_database_failures_total[5m]) > 0
      - alert: MusterBackupIsOld
        expr: time() - muster_last_backup_timestamp_seconds > 86400
      - alert: MusterFiringsAreLate
        expr: histogram_quantile(0.95, sum by (le) (rate(muster_firing_lateness_seconds_bucket[15m]))) > 60
\`\`\`

## Health

| address | reports | answers |
|---|---|---|
| \`GET /healthz\` | that this gateway's process is running | always 200 |
| \`GET /readyz\` | whether the bus answers it, the registry can read and write its database, and how many hosts are online | 200, or 503 with what failed within two seconds |

\`readyz\` checks each time. Without an online host it is \`degraded\` and 200: everything works except what needs a pane.
It lists each registry that shares the database; if one of several does not answer, it is \`degraded\` and 200 too, and likewise if
the last scheduled backup failed or is overdue (\`backups\`).
\`muster doctor\` gives details and remedies.

\`muster probe gateway\` and \`muster probe registry\` are health checks of one process for containers, with its own settings: they
are silent and exit with 0, or print what is wrong and exit with 1. A gateway has to be ready as \`readyz\` defines it. A registry has
to answer on the bus, for which the probe needs the keys of the bus (\`MUSTER_BUS_KEYS\`).

If the disk is full, failing or read-only, if another program holds the database, or if the database is damaged, \`readyz\` is 503
and names the cause. muster then refuses writes with the reason \`DISK_FULL\`, \`DISK_FAILED\`, \`DATABASE_READ_ONLY\`,
\`DATABASE_CANNOT_OPEN\`, \`DATABASE_BUSY\`, \`DATABASE_DAMAGED\` or \`DATABASE_MOVED\`. Lists and panes still answer if possible, and
hosts wait. Everything recovers within seconds once the cause is gone, except that damage is reported until the registry restarts.
If the disk accepts a write but does not confirm that it is stored, the registry ends and is started again.

## Undetected damage

The file \`muster.db-digests\`, next to the database, has a digest of each page. Every start and \`muster doctor\` compare all pages.
While muster runs, it compares them continuously: a round takes ten seconds; a large database takes longer, at 1 MiB per
second. It finds any change, down to one bit. muster logs it, \`readyz\` and \`muster doctor\` name the pages and what they
belong to, and the next start is refused. muster does not detect

- a bit that flips in memory before its page is written, or on the disk while the kernel still has the page in memory;
- a bit that flips in the write-ahead log: after a kill, SQLite ends the log at a wrong frame, by its own checksum;
- what another program writes into the database while muster runs, and damage from before there were digests;
- a page that muster itself wrote wrong;
- a change that keeps a page's CRC: one in 4,000 million changes of more than a bit.

If that matters to you, keep the database on a file system with checksums (ZFS, Btrfs), and keep [backups](../docs/operating.md#backup).

## Restoring a copy of the database

\`muster backup\` and \`muster restore\` do all of this ([operating muster](../docs/operating.md#backup)). If you only have a copy of
\`muster.db\` that was made while muster was stopped, stop muster, replace the file, remove \`muster.db-wal\`, \`muster.db-shm\` and
\`muster.db-digests\`, and start it. Everything accepted after the copy was made is lost, and schedules run what they find due.

## Behind a proxy

Watches are responses that do not end. The gateway writes to each at least every 15 seconds, so a proxy's idle timeout of 30 s or
more does not cut them. It also requests no buffering (\`X-Accel-Buffering: no\`, which nginx obeys). A proxy that cuts them after a
fixed time loses no updates: the page resumes where it was. A proxy that buffers anyway stops the page's updates, which the page
reports after 25 s: turn buffering off. Set \`MUSTER_URL\` to the proxy's address.

## Traces

If \`OTEL_EXPORTER_OTLP_ENDPOINT\` (or \`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT\`) is set for the service, each call is a trace from the
gateway over the bus and the commit to its effects on a host, even if the host restarted in between. A caller's trace
continues: HTTP through the header \`traceparent\`, an MCP call through \`_meta.traceparent\` or that header, a command through
\`TRACEPARENT\` in its environment. Its sampling flag applies everywhere.

| variable | |
|---|---|
| \`OTEL_EXPORTER_OTLP_ENDPOINT\`, \`…_HEADERS\`, \`…_TIMEOUT\`, \`…_COMPRESSION\`, \`…_CERTIFICATE\`, and the same with \`…_TRACES_…\` | as in OpenTelemetry |
| \`OTEL_EXPORTER_OTLP_PROTOCOL\`, \`OTEL_EXPORTER_OTLP_TRACES_PROTOCOL\` | \`http/json\` is supported; with \`grpc\` or \`http/protobuf\` no traces are sent, and the log and \`muster doctor\` say so |
| \`OTEL_TRACES_EXPORTER\` | \`otlp\` or \`none\` |
| \`OTEL_TRACES_SAMPLER\`, \`OTEL_TRACES_SAMPLER_ARG\` | as in OpenTelemetry; \`parentbased_always_on\` if unset |
| \`OTEL_SERVICE_NAME\`, \`OTEL_RESOURCE_ATTRIBUTES\` | as in OpenTelemetry; \`muster-gateway\`, \`muster-registry\` and \`muster-host\` if unset, and always \`muster.component\` |
| \`OTEL_BSP_…\`, \`OTEL_SPAN_…_LIMIT\` | as in OpenTelemetry |
| \`OTEL_SDK_DISABLED=true\` | no traces |

muster sends spans in the background, half a second after they end. With an absent or slow collector, spans are lost, but never a
call; the log says so at most once a minute.
`;

/** The page `docs/watching.md`: metrics with queries, health, and traces. */
export function metricsPage(): string {
  const rows = Object.entries(catalogue).map(([name, { type, labels, help }]) => {
    const names = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${type} | ${names} | ${help} |`;
  });
  return [opening, '| metric | type | labels | meaning |', '|---|---|---|---|', ...rows, queries].join('\n');
}
