import { type Command, Option } from 'commander';
import { printable } from '#contract/printable.ts';
import type { ReviewThread } from '#contract/review-thread.ts';
import { findAgent } from '../find-agent.ts';
import { type OutputFlags, outputOption, writeJsonLine, writeRecord } from '../output.ts';
import { defineDiff } from '../review/diff.ts';
import { placeIn, rangeIn } from '../review/place.ts';
import { defineRounds, defineStart } from '../review/rounds.ts';
import { defineThreads } from '../review/threads.ts';
import type { Define, Session } from '../session.ts';
import { textSource } from '../text-source.ts';
import { ownOr } from './mail.ts';

/** `muster review` */
export const define: Define = (command, session) => {
  command
    .helpCommand(false)
    .description(
      'Reviews of agents’ work: a round snapshots it, uncommitted files too; comments are pinned to lines of a round, and ' +
        'nobody sees any before all are released at once. In an agent’s pane NAME may be left out: it is its own work, or the ' +
        'work that it reviews.',
    );
  defineStart(command.command('start [name]').summary('snapshot an agent’s work as the next round'), session);
  defineRounds(command.command('rounds [name]').summary('list the rounds of an agent’s work'), session);
  defineDiff(command.command('diff [name]').summary('print the diff of a round'), session);
  defineThreads(command.command('threads [name]').summary('print comments, answers, and where they stand'), session);
  defineComment(command.command('comment <name> <place> [text]').summary('pin a comment to lines'), session);
  defineRelease(command.command('release [name]').summary('give the agent your comments and a verdict'), session);
  defineDiscard(command.command('discard [name]').summary('throw your unreleased comments away'), session);
  defineReply(command.command('reply <thread> [text]').summary('answer in a thread'), session);
  defineSettle(command.command('resolve <thread...>').summary('settle threads'), session, 'Resolve');
  defineSettle(command.command('reopen <thread...>').summary('open settled threads again'), session, 'Reopen');
  defineApply(command.command('apply <thread>').summary('put a suggestion into the agent’s file'), session);
};

interface CommentFlags extends OutputFlags {
  readonly old?: string;
  readonly quote?: string;
  readonly suggest?: string;
  readonly snapshot?: string;
  readonly base?: string;
}

const suggestOption = (): Option =>
  new Option('--suggest <text>', 'lines to stand there instead; - for standard input, or @file');

function defineComment(command: Command, { io, client: connect }: Session): void {
  command
    .description(
      'Writes a comment that only you see until you release it. PLACE is FILE:LINE, FILE:FIRST-LAST, or FILE alone, with the ' +
        'lines of the round’s snapshot. TEXT is at most 1000 characters, - for standard input (so it is where it is left ' +
        'out), or @file.',
    )
    .option('--old <lines>', 'lines of the old side, as LINE or FIRST-LAST')
    .option('--quote <text>', 'the lines with their markers, which are then checked; - or @file')
    .addOption(suggestOption())
    .option('--snapshot <sha>', 'the round’s snapshot; without it, the round that you looked at last')
    .option('--base <sha>', 'what the old side was read against; without it, the round’s base')
    .addOption(outputOption())
    .action(async (name: string, said: string, text: string | undefined, flags: CommentFlags) => {
      const client = connect();
      const texts = textSource(io);
      const { old, quote, suggest, snapshot: snapshotSha, base: baseSha } = flags;
      const place = placeIn(said);
      const [oldStart, oldEnd] = old === undefined ? [] : rangeIn('--old', old);
      const request = {
        agentId: (await findAgent(client, name)).id,
        ...place,
        body: await texts.read('the text', text ?? '-'),
        ...(oldStart !== undefined && oldEnd !== undefined && { oldStart, oldEnd }),
        ...(quote !== undefined && { quotedLines: (await texts.read('--quote', quote)).split('\n') }),
        ...(suggest !== undefined && { suggestion: (await texts.read('--suggest', suggest)).split('\n') }),
        ...(snapshotSha !== undefined && { snapshotSha }),
        ...(baseSha !== undefined && { baseSha }),
      };
      const { thread = {} } = await client.call('agent.v1.AgentService/CreateReviewThread', request);
      const told = `${thread.id} is written, and yours alone until you release it`;
      writeRecord(io, flags, thread, () => `${printable(told)}\n`);
    });
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
    .description('Gives all that you have written to the agent at once, with a verdict, and calls the agent to it.')
    .addOption(
      new Option('--verdict <verdict>', 'good as it stands, to be worked on, or notes alone')
        .choices(Object.keys(verdicts))
        .makeOptionMandatory(),
    )
    .option('-m, --message <text>', 'what it comes to, in a line or two; - or @file')
    .option('--snapshot <sha>', 'the snapshot of the round that the verdict is given on')
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
      const told = `${id} is released on round ${roundOrdinal} with ${comments} ${comments === 1 ? 'comment' : 'comments'}`;
      writeRecord(io, flags, review, () => `${printable(told)}\n`);
    });
}

function defineDiscard(command: Command, { io, client: connect }: Session): void {
  command
    .description('Throws away what you have written and not released.')
    .addOption(outputOption())
    .action(async (name: string | undefined, flags: OutputFlags) => {
      const client = connect();
      const { review } = await client.call('agent.v1.AgentService/DiscardReview', await ownOr(client, name));
      const told = review === undefined ? 'There was nothing to throw away' : `${review.id} is thrown away`;
      writeRecord(io, flags, review ?? {}, () => `${printable(told)}\n`);
    });
}

function defineReply(command: Command, { io, client: connect }: Session): void {
  command
    .description(
      'Answers in a thread. What the agent under review answers is heard at once; anybody else’s answer waits until they ' +
        'release it. TEXT is a text, - for standard input (so it is where it is left out), or @file.',
    )
    .addOption(suggestOption())
    .addOption(outputOption())
    .action(async (threadId: string, text: string | undefined, flags: CommentFlags) => {
      const texts = textSource(io);
      const { suggest } = flags;
      const { thread = {} } = await connect().call('agent.v1.AgentService/ReplyReviewThread', {
        threadId,
        body: await texts.read('the text', text ?? '-'),
        ...(suggest !== undefined && { suggestion: (await texts.read('--suggest', suggest)).split('\n') }),
      });
      const isHeard = thread.messages?.at(-1)?.sentAt !== undefined;
      const told = isHeard ? `${thread.id} is answered` : `${thread.id} has your answer once you release it`;
      writeRecord(io, flags, thread, () => `${printable(told)}\n`);
    });
}

function defineSettle(command: Command, { io, client: connect }: Session, verb: 'Resolve' | 'Reopen'): void {
  command
    .description(verb === 'Resolve' ? 'Says that threads are owed no answer any more.' : 'Opens settled threads again.')
    .addOption(outputOption())
    .action(async (threadIds: readonly string[], flags: OutputFlags) => {
      const client = connect();
      for (const threadId of threadIds) {
        const { thread = {} }: { thread?: ReviewThread | undefined } = await client.call(
          `agent.v1.AgentService/${verb}ReviewThread`,
          { threadId },
        );
        const told = `${thread.id} is ${thread.resolvedAt === undefined ? 'open' : 'settled'}`;
        if (threadIds.length === 1) writeRecord(io, flags, thread, () => `${printable(told)}\n`);
        else if (flags.output === undefined && io.stdout.isTTY) io.stdout.write(`${printable(told)}\n`);
        else writeJsonLine(io, thread);
      }
    });
}

function defineApply(command: Command, { io, client: connect }: Session): void {
  command
    .description(
      'Puts a thread’s suggestion into the file in the agent’s worktree, where the lines that it is for still stand; refused ' +
        'where they do not.',
    )
    .option('--message <id>', 'whose suggestion; without it, the thread’s newest')
    .addOption(outputOption())
    .action(async (threadId: string, flags: OutputFlags & { readonly message?: string }) => {
      const { message: messageId } = flags;
      const applied = await connect().call('agent.v1.AgentService/ApplyReviewSuggestion', {
        threadId,
        ...(messageId !== undefined && { messageId }),
      });
      const { filePath, start, end } = applied;
      writeRecord(io, flags, applied, () => `${printable(`It stands in ${filePath}, lines ${start} to ${end}`)}\n`);
    });
}
