import type { Log } from '#contract/process-context.ts';

/** A log that keeps what is written to it, as text. */
export interface LogProbe extends Log {
  readonly lines: string[];
}

/** Keeps every record of every level. */
export function logProbe(lines: string[] = []): LogProbe {
  const write = (first: object | string, message?: string): void => {
    const fields = typeof first === 'string' ? {} : first;
    const err = 'err' in fields ? String(fields.err instanceof Error ? fields.err.stack : fields.err) : '';
    lines.push(`${message ?? first} ${JSON.stringify(fields)} ${err}`);
  };
  return {
    lines,
    trace: write,
    debug: write,
    info: write,
    warn: write,
    error: write,
    fatal: write,
    child: () => logProbe(lines),
  };
}
