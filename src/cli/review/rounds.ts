import type { Command } from 'commander';
import type { Client } from '#cli/client/client.ts';
import { everyPage } from '#cli/client/pages.ts';
import type { Session } from '#cli/client/session.ts';
import { ownOr } from '#cli/find/own-agent.ts';
import { counted } from '#cli/print/counted.ts';
import { ago } from '#cli/print/duration.ts';
import { type OutputFlags, outputOption, writeList, writeRecord } from '#cli/print/output.ts';
import { subjectNames } from '#cli/print/subject-name.ts';
import { textTable } from '#cli/print/text-table.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';
import type { ReviewRound } from '#contract/review/review-round.ts';

/** `muster review start` */
export function defineStart(command: Command, { io, client: connect }: Session): void {
  command
    .description(
      'Snapshots an agent’s work as its next round, with uncommitted files. Index, HEAD and files do not change. If ' +
        'nothing has changed, the newest round is used. Its reviewers are notified.',
    )
    .option('--base <ref>', 'the branch, tag or commit to compare the work with')
    .addOption(outputOption())
    .action(async (name: string | undefined, flags: OutputFlags & { readonly base?: string }) => {
      const client = connect();
      const { base } = flags;
      const asked = { ...(await ownOr(client, name)), ...(base !== undefined && { base }) };
      const { round = {} } = await client.call('agent.v1.AgentService/StartReviewRound', asked);
      const { ordinal, changedFiles = 0, leftOutCount = 0 } = round;
      const left = leftOutCount === 0 ? '' : `; ${leftOutCount} left out of it`;
      const result = `Round ${ordinal}, with ${counted(changedFiles, 'file')} changed${left}`;
      writeRecord(io, flags, round, () => `${printable(result)}\n`);
    });
}

/** `muster review rounds` */
export function defineRounds(command: Command, { io, client: connect }: Session): void {
  command
    .description('Lists the rounds of an agent’s work, the newest first.')
    .addOption(outputOption())
    .action(async (name: string | undefined, flags: OutputFlags) => {
      const client = connect();
      const rounds = await everyRound(client, await ownOr(client, name));
      const nameOf = subjectNames(client);
      const by = await Promise.all(
        rounds.map(({ startedByAgentId }) => (startedByAgentId === undefined ? 'you' : nameOf(startedByAgentId))),
      );
      writeList(io, flags, rounds, () => {
        if (rounds.length === 0) return 'Its work has no rounds: muster review start makes one\n';
        const titles = ['ROUND', 'ID', 'CUT', 'BY', 'FILES', 'LEFT OUT', 'SNAPSHOT'].map((title) => ({ title }));
        const rows = rounds.map((round, at) => cellsOf(round, by[at] ?? '', io.now()));
        return textTable(titles, rows, io.stdout.columns);
      });
    });
}

function cellsOf(round: ReviewRound, by: string, now: number) {
  const { ordinal = 0, id = '', createdAt, changedFiles = 0, leftOutCount = 0, snapshotSha = '' } = round;
  const texts = [
    String(ordinal),
    id,
    ago(createdAt, now),
    by,
    String(changedFiles),
    leftOutCount === 0 ? '' : String(leftOutCount),
    snapshotSha.slice(0, 12),
  ];
  return texts.map((text) => ({ text: printable(text) }));
}

function everyRound(client: Client, asked: { readonly agentId?: string }): Promise<ReviewRound[]> {
  return everyPage(
    (pagination) => client.call('agent.v1.AgentService/ListReviewRounds', { ...asked, pagination }),
    (page) => page.rounds,
  );
}

/**
 * Finds a round by its number or id, and returns the id.
 * @throws NOT_FOUND when there is none
 */
export async function roundMeant(
  client: Client,
  asked: { readonly agentId?: string },
  numberOrId: string,
): Promise<string> {
  if (!/^\d+$/.test(numberOrId)) return numberOrId;
  const rounds = await everyRound(client, asked);
  const id = rounds.find(({ ordinal }) => ordinal === Number(numberOrId))?.id;
  if (id !== undefined) return id;
  throw new Failure('REVIEW_ROUND_NOT_FOUND', `there is no round ${numberOrId}: muster review rounds lists them`);
}
