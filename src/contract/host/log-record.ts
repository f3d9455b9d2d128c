import { printable, printableLines } from '#contract/printable.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The lines of several logs in the order of their times; one without a time stays behind the one before it. */
export function mergedByTime(logs: readonly (readonly string[])[]): string[] {
  const timed = logs.flatMap((lines) => {
    let last = '';
    return lines.map((line) => {
      last = /"time":"([^"]*)"/.exec(line)?.[1] ?? last;
      return { line, time: last };
    });
  });
  return timed
    .toSorted((one, other) => Number(one.time > other.time) - Number(one.time < other.time))
    .map(({ line }) => line);
}

/** A record of a log as people read it. */
export interface LogRecord {
  /** Its level, such as `warn`; empty if it says none. */
  readonly level: string;
  /** Time, level, process, message and its other fields, on one line. */
  readonly text: string;
  /** The stack of its error, line by line; empty if it has none. */
  readonly stack: string;
}

/** Reads a line of a log; a line that is not JSON is shown as it stands. */
export function readLogRecord(line: string): LogRecord {
  const record = parsed(line);
  if (record === undefined) return { level: '', text: printable(line), stack: '' };
  const { time, level, name, msg, pid: _pid, hostname: _hostname, err, ...fields } = record;
  const word = String(level ?? '');
  const head = [String(time ?? ''), word.toUpperCase().padEnd(5), String(name ?? '').padEnd(8), String(msg ?? '')];
  const tail = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const stack = typeof err === 'object' && err !== null && 'stack' in err ? printableLines(String(err.stack)) : '';
  return { level: word, text: [...head, ...tail].map(printable).join(' ').trimEnd(), stack };
}

function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}
