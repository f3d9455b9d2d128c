import { catalogue, type Metric } from '#gateway/metrics/catalogue.ts';

/**
 * The samples of a text in Prometheus' format, by name and labels. Throws if the text breaks the format's rules or a
 * convention, or holds anything that the catalogue does not report.
 */
export function readExposition(text: string): ReadonlyMap<string, number> {
  if (!text.endsWith('\n') || text.includes('\r')) throw new Error('lines end with \\n, the last one too');
  const samples = new Map<string, number>();
  const known = new Map<string, Metric>(Object.entries(catalogue));
  const seen = new Set<string>();
  let family = '';
  for (const line of text.split('\n').slice(0, -1)) {
    const [, kind = '', name = '', said = ''] = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (seen.has(name)) throw new Error(`${name} is told twice`);
      seen.add(name);
      family = name;
      checkName(name, known.get(name));
    } else if (kind === 'TYPE') {
      if (name !== family || known.get(name)?.type !== said) throw new Error(`no such type here: ${line}`);
    } else {
      const [key, value] = readSample(line, family, known.get(family));
      if (samples.has(key)) throw new Error(`${key} comes twice`);
      samples.set(key, value);
    }
  }
  checkHistograms(samples);
  return samples;
}

function checkName(name: string, metric: Metric | undefined): void {
  if (metric === undefined) throw new Error(`${name} is not in the catalogue`);
  if (!name.startsWith('muster_')) throw new Error(`${name} does not say whose it is`);
  if ((metric.type === 'counter') !== name.endsWith('_total')) throw new Error(`_total is for counters: ${name}`);
  if (metric.type === 'histogram' && !name.endsWith('_seconds')) throw new Error(`${name} has no unit`);
  if (/_(count|sum|bucket|ms|milliseconds|kb|mb|gauge|counter|histogram)(_|$)/.test(name)) {
    throw new Error(`${name} has a word that Prometheus keeps, or no base unit`);
  }
}

function readSample(line: string, family: string, metric: Metric | undefined): [string, number] {
  const sample =
    /^([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\n"])*"(?:,(?=[a-z])|$|(?=\})))+)\})? (-?[0-9.e+-]+)$/.exec(line);
  if (sample === null || metric === undefined) throw new Error(`no sample: ${line}`);
  const [, name = '', labels = '', value = ''] = sample;
  const suffix = name.slice(family.length);
  const suffixes = metric.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  if (!name.startsWith(family) || !suffixes.includes(suffix)) throw new Error(`${name} is not of ${family}`);
  const names = [...labels.matchAll(/([a-z_]+)="/g)].map(([, label = '']) => label);
  const allowed = [...metric.labels, ...(suffix === '_bucket' ? ['le'] : [])];
  if (names.some((label) => !allowed.includes(label))) throw new Error(`a label that is not told: ${line}`);
  return [labels === '' ? name : `${name}{${labels}}`, Number(value)];
}

/** Buckets grow with their bounds, and the last one holds all. */
function checkHistograms(samples: ReadonlyMap<string, number>): void {
  const below = new Map<string, number>();
  for (const [key, value] of samples) {
    const [, name = '', bound = ''] = /^(.*_bucket.*)le="([^"]+)"\}$/.exec(key) ?? [];
    if (name === '') continue;
    if (value < (below.get(name) ?? 0)) throw new Error(`${key} is less than the bucket before it`);
    below.set(name, value);
    const count = name.replace('_bucket{', '_count{').replace(/[,{]$/, (end) => (end === '{' ? '' : '}'));
    if (bound === '+Inf' && samples.get(count) !== value) throw new Error(`${key} does not hold all of ${count}`);
  }
}
