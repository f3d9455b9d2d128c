import type { HistogramReading } from '#contract/histogram.ts';

/** One value of a family, identified by its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number | HistogramReading;
}

/** A metric: its name, its meaning and its values. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

/** The content type of Prometheus' text format. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

/** Families in Prometheus' text format, version 0.0.4. */
export function exposition(families: readonly Family[]): string {
  return families.map(familyText).join('');
}

function familyText({ name, help, type, samples }: Family): string {
  const lines = samples.flatMap(({ labels = {}, value }) =>
    typeof value === 'number' ? [line(name, labels, value)] : histogramLines(name, labels, value),
  );
  return [
    `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
    `# TYPE ${name} ${type}`,
    ...lines,
    '',
  ].join('\n');
}

function histogramLines(name: string, labels: Readonly<Record<string, string>>, reading: HistogramReading): string[] {
  return [
    ...reading.buckets.map(([bound, count]) => line(`${name}_bucket`, { ...labels, le: String(bound) }, count)),
    line(`${name}_bucket`, { ...labels, le: '+Inf' }, reading.count),
    line(`${name}_sum`, labels, reading.sum),
    line(`${name}_count`, labels, reading.count),
  ];
}

function line(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
