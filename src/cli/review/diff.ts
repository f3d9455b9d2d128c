import { type Command, Option } from 'commander';
import type { Client } from '#cli/client/client.ts';
import type { Session } from '#cli/client/session.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { atLeastOne } from '#cli/print/whole-number.ts';
import { printable, printableLines } from '#contract/printable.ts';
import type { ReviewFile } from '#contract/review/review-round.ts';
import { ownOr } from '../commands/mail.ts';
import { roundMeant } from './rounds.ts';

interface DiffFlags extends OutputFlags {
  readonly round?: string;
  readonly since?: string;
  readonly file?: string;
  readonly context?: number;
}

/** `muster review diff` */
export function defineDiff(command: Command, { io, client: connect }: Session): void {
  command
    .description(
      'Prints the whole diff of a round, the newest without --round, against its base. Binary and very large files are ' +
        'named with their sizes.',
    )
    .option('--round <round>', 'its number or id')
    .option('--since <round>', 'only what is new since an earlier round, by its number or id')
    .option('--file <path>', 'one file alone')
    .addOption(new Option('--context <lines>', 'how many lines around each change').argParser(atLeastOne))
    .addOption(outputOption(['json', 'jsonl']))
    .action(async (name: string | undefined, flags: DiffFlags) => {
      const client = connect();
      const own = await ownOr(client, name);
      const { round, since, file: filePath, context } = flags;
      const asked = {
        ...own,
        ...(round !== undefined && { roundId: await roundMeant(client, own, round) }),
        ...(since !== undefined && { sinceRoundId: await roundMeant(client, own, since) }),
        ...(filePath !== undefined && { filePath }),
        ...(context !== undefined && { context }),
      };
      const files: ReviewFile[] = [];
      const about = await everyFile(client, asked, (file) => {
        if (flags.output === undefined) io.stdout.write(textOf(file, files.at(-1)));
        files.push(flags.output === undefined ? { ...file, patch: '' } : file);
      });
      // An agent reads the diff as it is: the text is for it too, not only for a terminal.
      if (flags.output !== undefined) writeRecord(io, flags, { ...about, files }, () => '');
    });
}

interface Asked {
  readonly agentId?: string;
  readonly roundId?: string;
}

async function everyFile(client: Client, asked: Asked, print: (file: ReviewFile) => void): Promise<object> {
  let cursor: string | undefined;
  for (;;) {
    const { files = [], ...about } = await client.call('agent.v1.AgentService/GetReviewDiff', {
      ...asked,
      pageBytes: 1_048_576,
      ...(cursor !== undefined && { cursor }),
    });
    for (const file of files) print(file);
    cursor = about.cursor;
    if (!cursor) return about;
  }
}

function textOf(file: ReviewFile, before: ReviewFile | undefined): string {
  const { path = '', oldPath = path, patch = '', partial = false } = file;
  const goesOn = partial && before?.partial === true && before.path === path;
  return `${goesOn ? '' : headOf(file, oldPath, path)}${printableLines(patch)}`;
}

function headOf(file: ReviewFile, oldPath: string, path: string): string {
  const { change = '', omitted, oldMode, newMode, oldBytes = '0', newBytes = '0', patch = '' } = file;
  const lines = [`diff --git ${printable(`a/${oldPath} b/${path}`)}`];
  if (change.endsWith('_ADDED')) lines.push(`new file mode ${newMode}`);
  if (change.endsWith('_DELETED')) lines.push(`deleted file mode ${oldMode}`);
  if (oldMode !== undefined && newMode !== undefined && oldMode !== newMode) {
    lines.push(`old mode ${oldMode}`, `new mode ${newMode}`);
  }
  if (change.endsWith('_RENAMED')) lines.push(`rename from ${printable(oldPath)}`, `rename to ${printable(path)}`);
  const isSame = patch === '' && oldMode !== undefined && newMode !== undefined;
  if (omitted === undefined && !isSame) {
    lines.push(`--- ${change.endsWith('_ADDED') ? '/dev/null' : printable(`a/${oldPath}`)}`);
    lines.push(`+++ ${change.endsWith('_DELETED') ? '/dev/null' : printable(`b/${path}`)}`);
  } else if (omitted !== undefined) {
    const kind = omitted.endsWith('_BINARY') ? 'A binary file' : 'A file too large to be shown';
    lines.push(`${kind}: ${oldBytes} bytes before, ${newBytes} now`);
  }
  return lines.map((line) => `${line}\n`).join('');
}
