import { type Command, Option } from 'commander';
import type { Client } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Session } from '#cli/client/session.ts';
import { ownOr } from '#cli/find/own-agent.ts';
import { paintFor } from '#cli/print/color.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { openPager, type Pager } from '#cli/print/pager.ts';
import { atLeastOne } from '#cli/print/whole-number.ts';
import type { ReviewFile } from '#contract/review/review-round.ts';
import { diffText } from './diff-text.ts';
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
      'Prints the whole diff of a round, by default the newest, against its base. Binary and very large files are ' +
        'only named, with their sizes.',
    )
    .option('--round <round>', 'its number or id')
    .option('--since <round>', 'only what is new since an earlier round, by its number or id')
    .option('--file <path>', 'only this file')
    .addOption(new Option('--context <lines>', 'how many lines around each change').argParser(atLeastOne))
    .addOption(outputOption(undefined, 'the text, in your PAGER on a terminal'))
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
      // An agent gets the text too, as it is written to be read.
      const { output = 'table' } = flags;
      if (output === 'table') return printDiff(io, client, asked);
      const files: ReviewFile[] = [];
      const about = await everyFile(client, asked, async (file) => files.push(file) > 0);
      writeRecord(io, { output }, { ...about, files }, () => '');
    });
}

/** Prints the diff part by part, until its reader leaves. */
async function printDiff(io: CliIo, client: Client, asked: DiffRequest): Promise<void> {
  const paint = paintFor(io);
  let pager: Pager | undefined;
  let before: ReviewFile | undefined;
  try {
    await everyFile(client, asked, async (file) => {
      pager ??= openPager(io);
      await pager.write(diffText(paint, file, before));
      before = { ...file, patch: '' };
      return pager.isOpen;
    });
  } finally {
    await pager?.close();
  }
}

interface DiffRequest {
  readonly agentId?: string;
  readonly roundId?: string;
}

/** Passes each file to `take`, until that returns false. */
async function everyFile(
  client: Client,
  asked: DiffRequest,
  take: (file: ReviewFile) => Promise<boolean>,
): Promise<object> {
  let cursor: string | undefined;
  for (;;) {
    const { files = [], ...about } = await client.call('agent.v1.AgentService/GetReviewDiff', {
      ...asked,
      pageBytes: 1_048_576,
      ...(cursor !== undefined && { cursor }),
    });
    for (const file of files) if (!(await take(file))) return about;
    cursor = about.cursor;
    if (!cursor) return about;
  }
}
