import { type Command, Option } from 'commander';
import type { Client } from '#cli/client/client.ts';
import type { Session } from '#cli/client/session.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';
import { namesLines, placeIn, rangeIn } from './place.ts';

interface CommentFlags extends OutputFlags {
  readonly old?: string;
  readonly quote?: string;
  readonly suggest?: string;
  readonly snapshot?: string;
  readonly base?: string;
}

/** `--suggest` of comments and replies. */
export const suggestOption = (): Option =>
  new Option('--suggest <text>', 'replacement lines; - for standard input, or @file');

/** `muster review comment` */
export function defineComment(command: Command, session: Session): void {
  command
    .usage('[options] [name] <place> [text]')
    .description(
      'Writes a comment that only you see until you release it. PLACE is FILE:LINE, FILE:FIRST-LAST, or FILE alone, with the ' +
        'lines of the round’s snapshot. TEXT is at most 1000 characters, - for standard input (the default), ' +
        'or @file. A reviewer may omit NAME: the agent that it reviews.',
    )
    .option('--old <lines>', 'lines of the old side, as LINE or FIRST-LAST')
    .option('--quote <text>', 'the lines with their markers, to be checked; - or @file')
    .addOption(suggestOption())
    .option('--snapshot <sha>', 'the round’s snapshot; by default the round that you viewed last')
    .option('--base <sha>', 'what the old side is compared with; by default the round’s base')
    .addOption(outputOption())
    .action(async (...[first, second, third, flags]: [string, string?, string?, CommentFlags?]) =>
      comment(session, [first, second, third], flags ?? {}),
    );
}

type CommentArguments = readonly [first: string, second: string | undefined, third: string | undefined];

async function comment(session: Session, words: CommentArguments, flags: CommentFlags): Promise<void> {
  const { io } = session;
  const client = session.client();
  const texts = textSource(io);
  const { old, quote, suggest, snapshot: snapshotSha, base: baseSha } = flags;
  const { agentId, place, text } = await subjectOf(session, client, words);
  const [oldStart, oldEnd] = old === undefined ? [] : rangeIn('--old', old);
  const request = {
    agentId,
    ...placeIn(place),
    body: await texts.read('the text', text ?? '-'),
    ...(oldStart !== undefined && oldEnd !== undefined && { oldStart, oldEnd }),
    ...(quote !== undefined && { quotedLines: (await texts.read('--quote', quote)).split('\n') }),
    ...(suggest !== undefined && { suggestion: (await texts.read('--suggest', suggest)).split('\n') }),
    ...(snapshotSha !== undefined && { snapshotSha }),
    ...(baseSha !== undefined && { baseSha }),
  };
  const { thread = {} } = await client.call('agent.v1.AgentService/CreateReviewThread', request);
  const result = `${thread.id} is saved; only you see it until you release it`;
  writeRecord(io, flags, thread, () => `${printable(result)}\n`);
}

interface Subject {
  readonly agentId: string;
  readonly place: string;
  readonly text?: string | undefined;
}

/**
 * The agent, place and text of the words. Two words are a name and a place or, in a reviewer's pane, a place and a
 * text.
 */
async function subjectOf(session: Session, client: Client, [first, second, third]: CommentArguments): Promise<Subject> {
  const named = async (place: string) => ({ agentId: (await findAgent(client, first)).id, place, text: third });
  const isPerson = session.connection().home !== undefined;
  if (second !== undefined && (isPerson || third !== undefined || namesLines(second))) return named(second);
  if (isPerson) throw new Failure('INVALID_USAGE', 'name an agent: muster review comment NAME FILE:LINE');
  if (second !== undefined && !namesLines(first) && (await isAgent(client, first))) return named(second);
  return { agentId: await reviewedAgent(client), place: first, text: second };
}

async function isAgent(client: Client, nameOrId: string): Promise<boolean> {
  try {
    await findAgent(client, nameOrId, { wholeOnly: true });
    return true;
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return false;
    throw error;
  }
}

/** The agent whose work the caller reviews. @throws NOT_FOUND when its work has no round */
async function reviewedAgent(client: Client): Promise<string> {
  const { rounds = [] } = await client.call('agent.v1.AgentService/ListReviewRounds', { pagination: { pageSize: 1 } });
  const [{ agentId } = {}] = rounds;
  if (agentId !== undefined) return agentId;
  throw new Failure('REVIEW_ROUND_NOT_FOUND', 'there is no round to comment on: muster review start makes one');
}
