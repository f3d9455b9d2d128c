import { type Command, Option } from 'commander';
import type { CliIo } from '#cli/client/io.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { ownOr } from '#cli/find/own-agent.ts';
import { counted } from '#cli/print/counted.ts';
import { formatOf, type OutputFlags, outputOption, writeJsonLine, writeRecord } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { wrapToWidth } from '#cli/print/width.ts';
import { inWords } from '#cli/print/words.ts';
import { defineComment, suggestOption } from '#cli/review/comment.ts';
import { defineDiff } from '#cli/review/diff.ts';
import { defineRounds, defineStart } from '#cli/review/rounds.ts';
import { defineThreads } from '#cli/review/threads.ts';
import { reviewGuides } from '#contract/agent/review-guide.ts';
import { printable } from '#contract/printable.ts';
import type { ReviewThread } from '#contract/review/review-thread.ts';

/** `muster review` */
export const define: Define = (command, session) => {
  const { io } = session;
  command
    .helpCommand(false)
    .description(
      'Reviews agents’ work. A round is a snapshot of it, with uncommitted files. Comments are pinned to lines of a round, and ' +
        'others see them only once all are released together. In an agent’s pane NAME is optional: its own work, or the ' +
        'work that it reviews.',
    )
    .addHelpText(
      'after',
      () =>
        `\nFor reviewers:\n${guideFor(io, 'REVIEWER')}\nFor the agent under review:\n${guideFor(io, 'IMPLEMENTER')}`,
    );
  defineStart(command.command('start [name]').summary('snapshot an agent’s work as the next round'), session);
  defineRounds(command.command('rounds [name]').summary('list the rounds of an agent’s work'), session);
  defineDiff(command.command('diff [name]').summary('print the diff of a round'), session);
  defineThreads(command.command('threads [name]').summary('print comments, replies, and their current lines'), session);
  defineComment(command.command('comment <name> [place] [text]').summary('pin a comment to lines'), session);
  defineRelease(command.command('release [name]').summary('give the agent your comments and a verdict'), session);
  defineDiscard(command.command('discard [name]').summary('discard your unreleased comments'), session);
  defineReply(command.command('reply <thread> [text]').summary('reply in a thread'), session);
  defineSettle(command.command('resolve <thread...>').summary('resolve threads'), session, 'Resolve');
  defineSettle(command.command('reopen <thread...>').summary('reopen resolved threads'), session, 'Reopen');
  defineApply(command.command('apply <thread>').summary('apply a suggestion to the agent’s file'), session);
};

/** How a role works in a review, in terms of commands, for an agent whose CLI has no tools. */
function guideFor({ stdout }: CliIo, role: 'REVIEWER' | 'IMPLEMENTER'): string {
  const lines = wrapToWidth(inWords(reviewGuides[`AGENT_ROLE_${role}`]), Math.min(stdout.columns ?? 100, 120) - 2);
  return lines.map((line) => `  ${line}\n`).join('');
}

interface ReplyFlags extends OutputFlags {
  readonly suggest?: string;
}

const verdicts = {
  approved: 'REVIEW_VERDICT_APPROVED',
  changes: 'REVIEW_VERDICT_CHANGES_REQUESTED',
  commented: 'REVIEW_VERDICT_COMMENTED',
} as const;

interface ReleaseFlags extends OutputFlags {
  readonly verdict: keyof typeof verdicts;
  readonly message?: string;
  readonly snapshot?: string;
}

function defineRelease(command: Command, { io, client: connect }: Session): void {
  command
    .description('Gives the agent all your comments at once, with a verdict, and rings its doorbell.')
    .addOption(
      new Option('--verdict <verdict>', 'approve, request changes, or only comment')
        .choices(Object.keys(verdicts))
        .makeOptionMandatory(),
    )
    .option('-m, --message <text>', 'a summary in a line or two; - or @file')
    .option('--snapshot <sha>', 'the snapshot of the round that the verdict is for')
    .addOption(outputOption())
    .action(async (name: string | undefined, flags: ReleaseFlags) => {
      const client = connect();
      const { verdict, message, snapshot: snapshotSha } = flags;
      const { review = {} } = await client.call('agent.v1.AgentService/ReleaseReview', {
        ...(await ownOr(client, name)),
        verdict: verdicts[verdict],
        ...(message !== undefined && { summary: await textSource(io).read('--message', message) }),
        ...(snapshotSha !== undefined && { snapshotSha }),
      });
      const { id, comments = 0, roundOrdinal } = review;
      const result = `${id} is released on round ${roundOrdinal} with ${counted(comments, 'comment')}`;
      writeRecord(io, flags, review, () => `${printable(result)}\n`);
    });
}

function defineDiscard(command: Command, { io, client: connect }: Session): void {
  command
    .description('Discards your unreleased comments.')
    .addOption(outputOption())
    .action(async (name: string | undefined, flags: OutputFlags) => {
      const client = connect();
      const { review } = await client.call('agent.v1.AgentService/DiscardReview', await ownOr(client, name));
      const result = review === undefined ? 'There was nothing to discard' : `${review.id} is discarded`;
      writeRecord(io, flags, review ?? {}, () => `${printable(result)}\n`);
    });
}

function defineReply(command: Command, { io, client: connect }: Session): void {
  command
    .description(
      'Replies in a thread. A reply of the agent under review is delivered at once; anyone else’s waits until they ' +
        'release it. TEXT is the text, - for standard input (the default), or @file.',
    )
    .addOption(suggestOption())
    .addOption(outputOption())
    .action(async (threadId: string, text: string | undefined, flags: ReplyFlags) => {
      const texts = textSource(io);
      const { suggest } = flags;
      const { thread = {} } = await connect().call('agent.v1.AgentService/ReplyReviewThread', {
        threadId,
        body: await texts.read('the text', text ?? '-'),
        ...(suggest !== undefined && { suggestion: (await texts.read('--suggest', suggest)).split('\n') }),
      });
      const isDelivered = thread.messages?.at(-1)?.sentAt !== undefined;
      const result = isDelivered
        ? `${thread.id} is answered`
        : `${thread.id} is answered; the agent sees it once you release it`;
      writeRecord(io, flags, thread, () => `${printable(result)}\n`);
    });
}

function defineSettle(command: Command, { io, client: connect }: Session, verb: 'Resolve' | 'Reopen'): void {
  command
    .description(verb === 'Resolve' ? 'Resolves threads: they need no further reply.' : 'Reopens resolved threads.')
    .addOption(outputOption())
    .action(async (threadIds: readonly string[], flags: OutputFlags) => {
      const client = connect();
      for (const threadId of threadIds) {
        const { thread = {} }: { thread?: ReviewThread | undefined } = await client.call(
          `agent.v1.AgentService/${verb}ReviewThread`,
          { threadId },
        );
        const result = `${thread.id} is ${thread.resolvedAt === undefined ? 'open' : 'resolved'}`;
        if (threadIds.length === 1) writeRecord(io, flags, thread, () => `${printable(result)}\n`);
        else if (formatOf(io, flags) === 'table') io.stdout.write(`${printable(result)}\n`);
        else writeJsonLine(io, thread);
      }
    });
}

function defineApply(command: Command, { io, client: connect }: Session): void {
  command
    .description(
      'Applies a thread’s suggestion to the file in the agent’s worktree; refused if the lines that it replaces ' +
        'have changed.',
    )
    .option('--message <id>', 'the message with the suggestion; by default the thread’s newest')
    .addOption(outputOption())
    .action(async (threadId: string, flags: OutputFlags & { readonly message?: string }) => {
      const { message: messageId } = flags;
      const applied = await connect().call('agent.v1.AgentService/ApplyReviewSuggestion', {
        threadId,
        ...(messageId !== undefined && { messageId }),
      });
      const { filePath, start, end } = applied;
      writeRecord(io, flags, applied, () => `${printable(`Applied in ${filePath}, lines ${start} to ${end}`)}\n`);
    });
}
