import { join } from 'node:path';
import { Option } from 'commander';
import { stateFolder } from '#cli/client/connection.ts';
import { growingLines, LogFile, loggedProcesses } from '#cli/client/log-file.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { type Paint, paintFor, type Style } from '#cli/print/color.ts';
import { formatOf, type OutputFlags, outputOption } from '#cli/print/output.ts';
import { atLeastOne } from '#cli/print/whole-number.ts';
import { Failure } from '#contract/failure.ts';
import { mergedByTime, readLogRecord } from '#contract/host/log-record.ts';
import { nearest } from '#contract/parse/nearest.ts';

interface LogsFlags extends OutputFlags {
  readonly follow?: true;
  readonly number: number;
}

const levelStyles: Readonly<Record<string, Style>> = { warn: 'yellow', error: 'red', fatal: ['red', 'bold'] };

/** `muster logs` */
export const define: Define = (command, session) => {
  command
    .description(
      'Reads the logs of muster’s own processes on this machine (gateway, registry, host, start), merged by time.',
    )
    .option('-f, --follow', 'keep printing new records')
    .addOption(new Option('-n, --number <count>', 'how many records to start with').default(50).argParser(atLeastOne))
    .addOption(outputOption(['table', 'jsonl']))
    .action((name: string | undefined, flags: LogsFlags) => read(session, name, flags));
};

async function read({ io }: Session, name: string | undefined, flags: LogsFlags): Promise<void> {
  const folder = join(stateFolder(io), 'logs');
  const wanted = (one: string): boolean => name === undefined || one === name;
  const names = await loggedProcesses(folder);
  if (!names.some(wanted) && !flags.follow) throw nothingLogged(folder, name, names);
  const paint = paintFor(io);
  const raw = formatOf(io, flags) !== 'table';
  const write = (lines: readonly string[]): void => {
    for (const line of lines) io.stdout.write(raw ? `${line}\n` : recordText(line, paint));
  };
  const logs = new Map(names.filter(wanted).map((one) => [one, new LogFile(folder, one)]));
  const newest: string[][] = [];
  for (const log of logs.values()) newest.push(await log.last(flags.number));
  write(mergedByTime(newest).slice(-flags.number));
  if (!flags.follow) return;
  for await (const lines of growingLines(folder, logs, wanted, io.signal)) write(lines);
}

function nothingLogged(folder: string, name: string | undefined, names: readonly string[]): Failure {
  if (name === undefined || names.length === 0) {
    return new Failure('LOG_NOT_FOUND', `there are no logs in ${folder}: muster has not run with this MUSTER_HOME`);
  }
  const near = nearest(name, names);
  return new Failure(
    'LOG_NOT_FOUND',
    `no process ${name} has a log: there are ${names.join(', ')}${near ? `; did you mean ${near}?` : `. Of an agent, ${ofAgent(name)}`}`,
  );
}

/** Where to look instead if a person names an agent: the logs are those of muster itself. */
function ofAgent(name: string): string {
  const said = /^[\w.][\w.-]*$/.test(name) ? name : 'NAME';
  return `muster read ${said} prints the screen and muster facts ${said} what happened`;
}

/** A record as a line, with the stack of its error below. */
function recordText(line: string, paint: Paint): string {
  const { level, text, stack } = readLogRecord(line);
  const style = levelStyles[level];
  const below = stack === '' ? '' : `    ${stack.replaceAll('\n', '\n    ')}\n`;
  return `${style === undefined ? text : paint(style, text)}\n${below}`;
}
