import { printable, printableLines } from '#contract/printable.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The lines of several logs ordered by time. A line without a time follows the line before it. */
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

/** A log record, formatted for people. */
export interface LogRecord {
  /** Its level, such as `warn`; empty if it has none. */
  readonly level: string;
  /** Time, level, process, message and the other fields, in one line. */
  readonly text: string;
  /** The stack of its error, in several lines; empty if it has none. */
  readonly stack: string;
}

/** Reads a line of a log. A line that is not JSON is shown as it is. */
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
