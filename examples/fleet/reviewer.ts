import type { Part, Stage } from './part.ts';

interface Diff {
  readonly round: { readonly agentId: string; readonly ordinal: number };
  readonly baseSha: string;
  readonly snapshotSha: string;
  readonly files?: readonly { readonly path: string; readonly patch?: string }[];
}

/** What it finds in a line: what is wrong, and the line to put there instead, if any. */
const faults: Readonly<Record<string, { readonly body: string; readonly suggestion?: string }>> = {
  'wrold!': { body: 'The world is misspelt.', suggestion: 'world!' },
  'Good bye.': { body: 'A greeting does not say goodbye: remove the line.' },
};

/**
 * Reads the round that it is called to, pins a comment to each line that is wrong, and releases them with a verdict.
 */
export const reviewer: Part = async (_text, stage) => {
  const { tools } = stage;
  await tools.call('claim_doorbells');
  const diff = await stage.during('Reading the diff', () => tools.call<Diff>('get_review_diff'));
  const found = await stage.during('Commenting', () => comment(diff, stage));
  const verdict = found === 0 ? 'REVIEW_VERDICT_APPROVED' : 'REVIEW_VERDICT_CHANGES_REQUESTED';
  await tools.call('release_review', { verdict, summary: found === 0 ? 'Good as it is.' : `${found} lines.` });
  stage.say(`● Round ${diff.round.ordinal}: ${found} comments.`);
};

async function comment({ round, baseSha, snapshotSha, files = [] }: Diff, { tools }: Stage): Promise<number> {
  let found = 0;
  for (const { path, patch = '' } of files) {
    // The file is new, so its lines count from one.
    const added = patch.split('\n').filter((line) => line.startsWith('+'));
    for (const [at, line] of added.entries()) {
      const fault = faults[line.slice(1)];
      if (fault === undefined) continue;
      const { body, suggestion } = fault;
      await tools.call('create_review_thread', {
        agentId: round.agentId,
        filePath: path,
        baseSha,
        snapshotSha,
        newStart: at + 1,
        newEnd: at + 1,
        quotedLines: [line],
        body,
        ...(suggestion !== undefined && { suggestion: [suggestion] }),
      });
      found += 1;
    }
  }
  return found;
}
