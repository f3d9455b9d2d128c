import { type Check, well } from '#contract/host/check.ts';
import { tracingSettingOf } from '#world/net/tracing-setting.ts';
import { readUnhandled, type UnhandledPlace } from '#world/unhandled-errors.ts';

/** The minimum limit of open files: each agent and caller needs a few files and sockets. */
const fewFiles = 1_024;
/** A clock that was ever set cannot show an earlier time. */
const earliest = Date.UTC(2026, 0, 1);
/** How long the trace collector may take to answer, in milliseconds. */
const collectorWithin = 2_000;

/** Checks the limit of open files. */
export function checkOpenFiles(limit = openFileLimit()): Check {
  const name = 'open files';
  if (limit === undefined || limit === 'unlimited') return well(name, 'no limit is known');
  const found = `a process may open ${limit}`;
  if (limit >= fewFiles) return well(name, found);
  const mend = `raise it to ${fewFiles} or more (\`ulimit -n\`, LimitNOFILE of systemd): each agent and caller needs some`;
  return { name, outcome: 'warn', found, mend };
}

/** The limit of open files. Node raises its soft limit to the hard limit at start. */
function openFileLimit(): number | 'unlimited' | undefined {
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } };
  };
  return report.userLimits?.open_files?.soft;
}

/** Checks that the clock was ever set: schedules, sign-in and the order of ids depend on it. */
export function checkClock(now = Date.now()): Check {
  const found = new Date(now).toISOString().replace(/\.\d+/, '');
  if (now >= earliest) return well('clock', found);
  return {
    name: 'clock',
    outcome: 'fail',
    found,
    mend: 'set it, preferably by NTP: schedules and sign-in depend on it',
  };
}

/** Checks that time zones are available, which schedules need. */
export function checkZones(zone = 'Europe/Paris'): Check {
  const name = 'time zones';
  try {
    const summer = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' });
    if (summer.format(Date.UTC(2026, 6, 1, 12)) !== '14') throw new Error('it has the wrong hour');
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return well(name, `data of ${process.versions['tz'] ?? 'an unknown version'}; this machine is in ${timeZone}`);
  } catch {
    const mend = 'start muster through bin/muster, which runs a Node with all of its time zone data';
    return { name, outcome: 'fail', found: `${zone} is not known`, mend };
  }
}

/** Checks that the collector answers, if traces are on. */
export async function checkTraces(environment: Readonly<Record<string, string | undefined>>): Promise<Check> {
  const name = 'traces';
  const setting = tracingSettingOf(environment);
  if (setting.kind === 'off') return well(name, 'off (OTEL_EXPORTER_OTLP_ENDPOINT is not set)');
  if (setting.kind === 'refused') {
    return { name, outcome: 'warn', found: setting.why, mend: 'until it is changed or unset, none are sent' };
  }
  const { origin, pathname } = new URL(setting.endpoint);
  const where = `${origin}${pathname}`;
  const mend = 'start the collector there, or change the variable: muster itself works without it';
  try {
    const answer = await fetch(setting.endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersIn(environment) },
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(collectorWithin),
    });
    await answer.body?.cancel();
    if (answer.ok) return well(name, `${where} accepts them`);
    return { name, outcome: 'warn', found: `${where} answers HTTP ${answer.status}`, mend };
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const found = isLate
      ? `${where} does not answer within ${collectorWithin / 1_000} s`
      : `nothing answers at ${where}`;
    return { name, outcome: 'warn', found, mend };
  }
}

/** The headers for the collector, such as credentials, from `name=value` pairs separated by commas. */
function headersIn(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = environment['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] || environment['OTEL_EXPORTER_OTLP_HEADERS'] || '';
  const pairs = given.split(',').flatMap((pair) => {
    const [, key = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    return key === '' ? [] : [[key, decodeURIComponent(value)] as const];
  });
  return Object.fromEntries(pairs);
}

/** A line for each process of this computer with a recorded unhandled error; `only` limits it to one process. */
export async function checkUnhandled(logs: string, only?: string): Promise<Check[]> {
  const noted = [...(await readUnhandled(logs))].filter(([name]) => only === undefined || name === only);
  return noted.filter(([, places]) => places.length > 0).map(([name, places]) => checkPlaces(name, places));
}

function checkPlaces(process: string, places: readonly UnhandledPlace[]): Check {
  const [newest, ...others] = places.toSorted((a, b) => b.lastAt - a.lastAt);
  const at = new Date(newest?.lastAt ?? 0).toISOString().replace(/\.\d+/, '');
  const more = others.length > 0 ? `, and errors at ${others.length} other places` : '';
  return {
    name: `errors of ${process}`,
    outcome: 'warn',
    found: `${newest?.message} at ${newest?.place}, ${newest?.times} times, last ${at}${more}`,
    mend: `it is a bug in muster, which continued or restarted its work: \`muster logs ${process}\` says more`,
  };
}
