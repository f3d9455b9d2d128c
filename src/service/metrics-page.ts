import { catalogue } from '#gateway/metrics/catalogue.ts';

const opening = `# Watching muster

\`GET /metrics\` is for [Prometheus](https://prometheus.io), in its text format. It is open to this machine if no other one
reaches the gateway; otherwise it requires the operator's token as \`Authorization: Bearer …\`. One scrape is one request to the
registry, which counts its tables at most once a second and includes what hosts sent with their last beat (every 5 s).

\`\`\`yaml
scrape_configs:
  - job_name: muster
    static_configs: [{ targets: ["127.0.0.1:7433"] }]
\`\`\`

No name or id of an agent is a label, so a fleet of any size gives the same few hundred lines. \`component\` is \`gateway\`,
\`registry\` or \`host\`; \`host\` is the host's name, or its id if two share a name. A count of zero has no line: an
empty state is absent, not 0. A host that is away has \`muster_host_up 0\` and nothing else. If the registry is away,
\`muster_registry_up\` is 0 and only the gateway's own metrics remain. Calls that are private to a reviewer until release are
not counted. \`npm run docs\` generates the table from the list that is served.
`;

const queries = `
## Common queries

| question | PromQL |
|---|---|
| agents waiting for a person | \`sum(muster_agents{state="waiting", standing="present"}) or vector(0)\` |
| 95th percentile of call duration, by operation | \`histogram_quantile(0.95, sum by (operation, le) (rate(muster_call_duration_seconds_bucket[5m])))\` |
| agents that come to rest per minute | \`60 * sum(rate(muster_transitions_total{machine="agent", to="live.idle"}[5m]))\` |
| share of calls that fail through muster's own fault | \`sum(rate(muster_calls_total{code=~"internal\\|unavailable\\|deadline_exceeded"}[5m])) / sum(rate(muster_calls_total[5m]))\` |
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
      - alert: MusterFiringsAreLate
        expr: histogram_quantile(0.95, sum by (le) (rate(muster_firing_lateness_seconds_bucket[15m]))) > 60
\`\`\`

## Health

| address | reports | answers |
|---|---|---|
| \`GET /healthz\` | that this gateway's process lives | always 200 |
| \`GET /readyz\` | whether the bus answers it, the registry can read and write its database, and how many hosts are online | 200, or 503 with what failed within two seconds |

\`readyz\` checks each time. Without an online host it is \`degraded\` and 200: everything works except what needs a pane.
\`muster doctor\` gives details and remedies.

While the disk is full, fails or is read-only, another program holds the database, or it is damaged, \`readyz\` is 503 and names the cause,
and writes are refused with its reason: \`DISK_FULL\`, \`DISK_FAILED\`, \`DATABASE_READ_ONLY\`, \`DATABASE_CANNOT_OPEN\`,
\`DATABASE_BUSY\`, \`DATABASE_DAMAGED\` or \`DATABASE_MOVED\`. Lists and panes still answer if possible, hosts wait, and everything
recovers within seconds once the cause is gone; damage is reported until the registry restarts.

## Undetected damage

From a clean stop to the next start, a digest of each page is beside the database (\`muster.db-digests\`): the start and
\`muster doctor\` find any change, down to one bit. There are no digests while muster runs, or after a kill or a power cut. Then
only SQLite's structural check (\`quick_check\`, at each start) remains: of 400 single bits it found 17. Not detected are

- a bit that flips on the disk or in memory while muster runs, or before the start that follows a kill, inside a row's data;
- what was already wrong when muster stopped;
- a change that keeps a page's CRC, one in four thousand million of those that change more than a bit.

Frames of the write-ahead log have SQLite's own checksums: a wrong one ends the log there. If that matters to you, keep the
database on a file system with checksums (ZFS, Btrfs), and keep copies made while muster was stopped.

## Restoring a copy

Stop muster, replace \`muster.db\` with the copy, remove \`muster.db-wal\`, \`muster.db-shm\` and \`muster.db-digests\`, and start it.
Hosts may keep running: they read all of their agents again. Agents in the copy have the state it recorded, and those without a
pane become dormant. Unknown terminals are left alone: \`muster hosts\` lists them and \`muster doctor\` says how to view and end
them. Everything accepted after the copy was made is lost, including mail and firings.

## Behind a proxy

Watches are responses that do not end. The gateway writes to each at least every 15 seconds, so an idle timeout of 30 s or more
does not cut them, and requests no buffering (\`X-Accel-Buffering: no\`, which nginx obeys). A proxy that cuts them after a
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

Spans are sent in the background, half a second after they end. An absent or slow collector loses spans, never a call; the log
says so at most once a minute.
`;

/** The page `docs/watching.md`: every metric, what is asked of them, health and traces. */
export function metricsPage(): string {
  const rows = Object.entries(catalogue).map(([name, { type, labels, help }]) => {
    const names = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${type} | ${names} | ${help} |`;
  });
  return [opening, '| metric | type | labels | meaning |', '|---|---|---|---|', ...rows, queries].join('\n');
}
