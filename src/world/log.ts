import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DestinationStream, multistream, pino, stdTimeFunctions } from 'pino';
import { build as pretty } from 'pino-pretty';
import type { Log, LogLevel } from '#contract/process-context.ts';
import { LossyWriter } from '#world/file/lossy-writer.ts';

const secretKey = /(token|password|passwords|authorization|cookie|secret|credentials)$/i;
const suspicious = /token|password|authorization|cookie|secret|credentials|bearer |:\/\/[^\s"/]*@/i;
const removed = '[removed]';

/**
 * One log line with the values of secret fields, bearer tokens and the credentials of addresses removed, at any depth.
 */
export function redactLine(line: string): string {
  if (!suspicious.test(line)) return line;
  const clean = JSON.parse(line, (key, value: unknown) => {
    if (secretKey.test(key) && value !== null && typeof value !== 'boolean' && typeof value !== 'number')
      return removed;
    return typeof value === 'string' ? redactText(value) : value;
  }) as unknown;
  return `${JSON.stringify(clean)}\n`;
}

/** A text with bearer tokens and the credentials of addresses removed. */
export function redactText(text: string): string {
  return text
    .replace(/\b(bearer|basic) [A-Za-z0-9._~+/=-]+/gi, `$1 ${removed}`)
    .replace(/:\/\/[^\s"/@]+@/g, `://${removed}@`);
}

/**
 * A file that stays below `maxBytes`: a record that would exceed it first moves the file to `<name>.1`, replacing the
 * previous one. Records are written at once, so that a process that dies loses none.
 */
function boundedFile(path: string, maxBytes: number): DestinationStream {
  let size = existsSync(path) ? statSync(path).size : 0;
  let file: number | undefined;
  const writer = new LossyWriter(lostRecords);
  const openFor = (bytes: number): number => {
    if (file !== undefined && size > 0 && size + bytes > maxBytes) {
      renameSync(path, `${path}.1`);
      closeSync(file);
      file = undefined;
      size = 0;
    }
    file ??= openSync(path, 'a', 0o600);
    return file;
  };
  return {
    write(line) {
      const bytes = Buffer.byteLength(line);
      if (writer.write(() => openFor(bytes), line)) size += bytes;
    },
  };
}

/** Lines to stderr, which may be a file on a full disk or a pipe without a reader. */
function screenLines(): DestinationStream {
  const writer = new LossyWriter(lostRecords);
  return { write: (line) => void writer.write(() => 2, line) };
}

function lostRecords(count: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 'warn', time, lost: count, msg: 'records of this log could not be written and are lost' })}\n`;
}

/** How much a process logs, and where. */
export interface LogOptions {
  /** The name of the process: the record's `name` and the file `<name>.jsonl`. */
  readonly name: string;
  readonly level: LogLevel;
  /** The folder for the file, created if missing; undefined to write only to stderr. */
  readonly folder?: string;
  /** The maximum size of a file, in bytes. One older file of that size is kept. */
  readonly maxBytes?: number;
}

/** A log that writes one JSON line per record to stderr (in columns on a terminal) and to its file. */
export function openLog({ name, level, folder, maxBytes = 32 * 1024 * 1024 }: LogOptions): Log {
  const screen: DestinationStream = process.stderr.isTTY
    ? pretty({ destination: 2, sync: true, singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' })
    : screenLines();
  const streams = [{ level: 'trace' as const, stream: screen }];
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    streams.push({ level: 'trace', stream: boundedFile(join(folder, `${name}.jsonl`), maxBytes) });
  }
  return pino(
    {
      name,
      level,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redactLine },
    },
    multistream(streams),
  );
}
