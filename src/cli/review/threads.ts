import { type Command, Option } from 'commander';
import { everyPage } from '#cli/client/pages.ts';
import type { Session } from '#cli/client/session.ts';
import { ownOr } from '#cli/find/own-agent.ts';
import { counted } from '#cli/print/counted.ts';
import { ago } from '#cli/print/duration.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { type NameOf, subjectNames } from '#cli/print/subject-name.ts';
import { printable, printableLines } from '#contract/printable.ts';
import type { Review } from '#contract/review/review.ts';
import type { ReviewMessage, ReviewThread } from '#contract/review/review-thread.ts';
import { launchText, verdictWord } from './conclusion.ts';
import { roundMeant } from './rounds.ts';

interface ThreadsFlags extends OutputFlags {
  readonly round?: string;
  readonly file?: string;
  readonly open?: true;
  readonly resolved?: true;
  readonly unread?: true;
}

/** `muster review threads` */
export function defineThreads(command: Command, { io, client: connect }: Session): void {
  command
    .description(
      'Prints the threads of an agent’s reviews, the newest first: where each was pinned, where its lines are in the newest round, ' +
        'and all messages. Unreleased comments of others are not shown.',
    )
    .option('--round <round>', 'only threads in this round, by its number or id')
    .option('--file <path>', 'only threads in this file')
    .option('--open', 'only those that are open')
    .option('--resolved', 'only those that are resolved')
    .addOption(new Option('--settled', 'an earlier name of --resolved').implies({ resolved: true }).hideHelp())
    .option('--unread', 'only those with a reply that you have not read')
    .addOption(outputOption(undefined, 'the text'))
    .action(async (name: string | undefined, flags: ThreadsFlags) => {
      const client = connect();
      const own = await ownOr(client, name);
      const { round, file: filePath } = flags;
      const asked = {
        ...own,
        ...(round !== undefined && { roundId: await roundMeant(client, own, round) }),
        ...(filePath !== undefined && { filePath }),
        ...(flags.open !== flags.resolved && { resolved: flags.resolved === true }),
        ...(flags.unread && { unreadByHuman: true }),
      };
      const reviews = new Map<string, Review>();
      const threads = await everyPage(
        async (pagination) => {
          const page = await client.call('agent.v1.AgentService/ListReviewThreads', { ...asked, pagination });
          for (const review of page.reviews ?? []) reviews.set(review.id ?? '', review);
          return page;
        },
        (page) => page.threads,
      );
      const shown = { threads, reviews: [...reviews.values()] };
      // An agent gets the text too, as it is written to be read.
      const { output = 'table' } = flags;
      const text = output === 'table' ? await textOf(shown, subjectNames(client), io.now()) : '';
      writeRecord(io, { output }, shown, () => printableLines(text));
    });
}

interface ThreadPage {
  readonly threads: readonly ReviewThread[];
  readonly reviews: readonly Review[];
}

async function textOf({ threads, reviews }: ThreadPage, nameOf: NameOf, now: number): Promise<string> {
  const heads = await Promise.all(reviews.map((review) => reviewLine(review, nameOf, now)));
  const parts = await Promise.all(threads.map((thread) => threadText(thread, nameOf, now)));
  const none = threads.length === 0 ? ['There are no threads\n'] : [];
  return [heads.join(''), ...none, ...parts].filter((part) => part !== '').join('\n');
}

async function reviewLine(review: Review, nameOf: NameOf, now: number): Promise<string> {
  const { id, authorAgentId, authorKind, state, verdict, summary, roundOrdinal, comments = 0, releasedAt } = review;
  const who = await authorOf({ authorKind, authorAgentId }, nameOf);
  if (state !== 'REVIEW_STATE_RELEASED') return `${id} by ${who}, not released: ${counted(comments, 'comment')}\n`;
  const launch = launchText(review);
  const word = `${verdictWord(verdict)}${launch && ` (${printable(launch)})`}`;
  const about = summary ? `: ${printable(summary)}` : '';
  return `${id} by ${who}, ${ago(releasedAt, now)} ago, on round ${roundOrdinal}: ${word}${about}\n`;
}

async function threadText(thread: ReviewThread, nameOf: NameOf, now: number): Promise<string> {
  const { id, roundOrdinal, resolvedAt, unreadByHuman, quotedLines = [], messages = [] } = thread;
  const notes = [
    `round ${roundOrdinal}`,
    resolvedAt === undefined ? 'open' : 'resolved',
    ...(unreadByHuman ? ['answered'] : []),
    ...placeNote(thread),
  ];
  const lines = [
    `${id} ${printable(locationText(thread))} (${notes.join(', ')})`,
    ...quotedLines.map((line) => `    ${line}`),
  ];
  for (const message of messages) lines.push(...(await messageLines(message, nameOf, now)));
  return `${lines.join('\n')}\n`;
}

function locationText({ filePath = '', oldStart, oldEnd, newStart, newEnd }: ReviewThread): string {
  if (newStart !== undefined) return `${filePath}:${rangeText(newStart, newEnd)}`;
  return oldStart === undefined ? filePath : `${filePath}, old lines ${rangeText(oldStart, oldEnd)}`;
}

function rangeText(first: number, last = first): string {
  return first === last ? String(first) : `${first}-${last}`;
}

/** Where the lines are now, in words. */
function placeNote({ place }: ReviewThread): string[] {
  if (place === undefined) return [];
  const { state = '', roundOrdinal } = place;
  const by = `in round ${roundOrdinal}`;
  if (state.endsWith('_MOVED')) return [`at ${printable(locationText(place))} ${by}`];
  if (state.endsWith('_CHANGED')) return [`changed ${by}`];
  return state.endsWith('_GONE') ? [`gone ${by}`] : [`still there ${by}`];
}

async function messageLines(message: ReviewMessage, nameOf: NameOf, now: number): Promise<string[]> {
  const { id, body = '', suggestion = [], delivery, createdAt } = message;
  const isUnsent = delivery === 'REVIEW_DELIVERY_STATE_UNSENT';
  const head = `  ${await authorOf(message, nameOf)}, ${ago(createdAt, now)} ago${isUnsent ? ', not released' : ''} (${id})`;
  const suggested = suggestion.length === 0 ? [] : ['    suggested:', ...suggestion.map((line) => `    | ${line}`)];
  return [head, ...body.split('\n').map((line) => `    ${line}`), ...suggested];
}

async function authorOf(
  { authorKind, authorAgentId }: Pick<Review, 'authorKind' | 'authorAgentId'>,
  nameOf: NameOf,
): Promise<string> {
  if (authorKind === 'REVIEW_AUTHOR_KIND_HUMAN') return 'a person';
  return authorAgentId === undefined ? 'a deleted agent' : printable(await nameOf(authorAgentId));
}
