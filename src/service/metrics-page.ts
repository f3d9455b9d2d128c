import { catalogue } from '#gateway/metrics/catalogue.ts';

const opening = `# Watching muster

\`GET /metrics\` is for [Prometheus](https://prometheus.io), in its text format. It is open to this machine where no other one
reaches the gateway; else it asks for the operator's token as \`Authorization: Bearer …\`. One scrape asks the registry once, which
counts its tables at most once a second, and tells what hosts told it with their last beat (every 5 s).

\`\`\`yaml
scrape_configs:
  - job_name: muster
    static_configs: [{ targets: ["127.0.0.1:7433"] }]
\`\`\`

No name or id of an agent is a label, so a fleet of any size gives the same few hundred lines. \`component\` is \`gateway\`,
\`registry\` or \`host\`; \`host\` is the host's name, or its id where two have one name. What nothing is counted of has no line: an
empty state is absent and not 0. A host that is away has \`muster_host_up 0\` and nothing else; where the registry is away,
\`muster_registry_up\` is 0 and what the gateway knows by itself is told on. Calls that are their author's alone until a review is
released are not counted. The table is made from the list that is served, by \`npm run docs\`.
`;

const queries = `
## Asked often

| what | PromQL |
|---|---|
| agents that wait for a person | \`sum(muster_agents{state="waiting", standing="present"}) or vector(0)\` |
| how long 95 of 100 calls take, by operation | \`histogram_quantile(0.95, sum by (operation, le) (rate(muster_call_duration_seconds_bucket[5m])))\` |
| agents that come to rest, a minute | \`60 * sum(rate(muster_transitions_total{machine="agent", to="live.idle"}[5m]))\` |
| share of calls that fail for reasons of muster's own | \`sum(rate(muster_calls_total{code=~"internal\\|unavailable\\|deadline_exceeded"}[5m])) / sum(rate(muster_calls_total[5m]))\` |
| processor cores that muster takes, agents aside | \`sum(rate(muster_process_cpu_seconds_total[5m]))\` |

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

## Is it well?

| address | says | answers |
|---|---|---|
| \`GET /healthz\` | that this gateway's process lives | always 200 |
| \`GET /readyz\` | whether the bus answers it, the registry can read and write its database, and how many hosts are on line | 200, or 503 with what does not within two seconds |

\`readyz\` asks anew each time. Without a host on line it is \`degraded\` and 200: everything is answered but what needs a pane.
\`muster doctor\` says more, with what to do.

While the disk is full, fails or is read-only, another program holds the database, or it is damaged, \`readyz\` is 503 and says which,
and what writes is refused with a reason of its own: \`DISK_FULL\`, \`DISK_FAILED\`, \`DATABASE_READ_ONLY\`, \`DATABASE_CANNOT_OPEN\`,
\`DATABASE_BUSY\`, \`DATABASE_DAMAGED\` or \`DATABASE_MOVED\`. Lists and panes are answered where they can be, hosts wait, and all goes on
by itself within seconds of the cause being gone; damage stays told until the registry is started again.

## What no check sees

A digest of each page stands beside the database from a clean stop to the next start (\`muster.db-digests\`): whatever changed meanwhile, one bit
and more, is found by the start and by \`muster doctor\`. Nothing of the kind is there while muster runs, nor after it was killed or lost its
power. Then SQLite's own look at the structure (\`quick_check\`, at each start) is all: of 400 single bits it found 17. Not seen are

- a bit that flips on the disk or in memory while muster runs, or before the start that follows a kill, within what a row says;
- what was already wrong when muster stopped: it is noted as it was;
- a change that leaves a page's CRC as it was, one in four thousand million of those that are no single bit.

Frames of the write-ahead log have SQLite's own checksums: one that does not fit ends the log there. Where that matters, keep the database on a
file system that checks what it reads (ZFS, Btrfs), and copies of it that were made while muster was stopped.

## Putting a copy back

Stop muster, put the copy in the place of \`muster.db\`, remove \`muster.db-wal\`, \`muster.db-shm\` and \`muster.db-digests\`, and start it. Hosts may run on: they read
all of their agents anew. Agents that the copy knows are as it has them, and those whose panes are gone become dormant. Terminals that it does
not know are left alone: \`muster hosts\` names them and \`muster doctor\` says how to see and end them. What was accepted since the copy was
made is gone, mail and firings too.

## Behind a proxy

Watches are answers that do not end. The gateway says something on each at least every 15 seconds, so a proxy that cuts what is
silent for 30 s or longer leaves them alone, and asks not to be buffered (\`X-Accel-Buffering: no\`, which nginx heeds). A proxy that
cuts them after a fixed time costs no news: the page goes on from where it was. One that holds answers back all the same leaves
the page without news, which it says after 25 s: turn its buffering off. Set \`MUSTER_URL\` to the address that the proxy has.

## Traces

Where \`OTEL_EXPORTER_OTLP_ENDPOINT\` (or \`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT\`) is set for the service, each call is a trace from the
gateway over the bus and the commit to what was done of it on a host, also where the host was started again in between. A caller's
own trace goes on: HTTP by the header \`traceparent\`, an MCP call by \`_meta.traceparent\` or that header, a command by
\`TRACEPARENT\` in its environment. What its sampling flag leaves out is left out everywhere.

| variable | |
|---|---|
| \`OTEL_EXPORTER_OTLP_ENDPOINT\`, \`…_HEADERS\`, \`…_TIMEOUT\`, \`…_COMPRESSION\`, \`…_CERTIFICATE\`, and the same with \`…_TRACES_…\` | as OpenTelemetry says |
| \`OTEL_EXPORTER_OTLP_PROTOCOL\`, \`OTEL_EXPORTER_OTLP_TRACES_PROTOCOL\` | \`http/json\` is spoken; with \`grpc\` or \`http/protobuf\` no traces are sent, and the log and \`muster doctor\` say so |
| \`OTEL_TRACES_EXPORTER\` | \`otlp\` or \`none\` |
| \`OTEL_TRACES_SAMPLER\`, \`OTEL_TRACES_SAMPLER_ARG\` | as OpenTelemetry says; \`parentbased_always_on\` where unset |
| \`OTEL_SERVICE_NAME\`, \`OTEL_RESOURCE_ATTRIBUTES\` | as OpenTelemetry says; \`muster-gateway\`, \`muster-registry\` and \`muster-host\` where unset, and \`muster.component\` in any case |
| \`OTEL_BSP_…\`, \`OTEL_SPAN_…_LIMIT\` | as OpenTelemetry says |
| \`OTEL_SDK_DISABLED=true\` | no traces |

Spans are sent in the background, half a second after they ended. A collector that is away or slow costs spans, never a call; the log
says so at most once a minute.
`;

/** The page `docs/watching.md`: every metric, what is asked of them, health and traces. */
export function metricsPage(): string {
  const rows = Object.entries(catalogue).map(([name, { type, labels, help }]) => {
    const told = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${type} | ${told} | ${help} |`;
  });
  return [opening, '| metric | type | labels | what |', '|---|---|---|---|', ...rows, queries].join('\n');
}
