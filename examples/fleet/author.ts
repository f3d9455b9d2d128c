import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Part, Stage } from './part.ts';

const run = promisify(execFile);
const file = 'greeting.txt';

interface Message {
  readonly suggestion?: readonly string[];
}

interface Thread {
  readonly id: string;
  readonly newStart?: number;
  readonly messages?: readonly Message[];
}

interface ReviewThreads {
  readonly threads?: readonly Thread[];
  readonly reviews?: readonly { readonly verdict?: string }[];
}

/** Writes a greeting, does what its review asks for, and commits it once it is approved. */
export const author: Part = async (text, stage) => {
  if (text.includes('muster: ')) await stage.during('Reading the review', () => answer(stage));
  else if (text.includes(file)) await stage.during(`Writing ${file}`, () => write(stage));
  else stage.say(`● I only know how to write ${file}.`);
};

async function write({ say }: Stage): Promise<void> {
  await writeFile(file, 'Helo,\nwrold!\nGood bye.\n');
  say(`● ${file} is written.`);
}

/** Deals with each thread of the review that it is called to, and has the work read again. */
async function answer(stage: Stage): Promise<void> {
  const { tools, say } = stage;
  await tools.call('claim_doorbells');
  const { threads = [], reviews = [] } = await tools.call<ReviewThreads>('list_review_threads', { resolved: false });
  if (reviews[0]?.verdict === 'REVIEW_VERDICT_APPROVED') {
    await commit();
    say('● It is approved, and committed.');
    return;
  }
  for (const { id, newStart = 0, messages = [] } of threads) {
    const isSuggested = messages.some(({ suggestion = [] }) => suggestion.length > 0);
    if (isSuggested) await tools.call('apply_review_suggestion', { threadId: id });
    else await leaveOut(newStart);
    await tools.call('reply_review_thread', { threadId: id, body: isSuggested ? 'Applied.' : 'Left out.' });
  }
  await tools.call('start_review_round');
  say(`● ${threads.length} comments are resolved.`);
}

async function leaveOut(line: number): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, lines.toSpliced(line - 1, 1).join('\n'));
}

async function commit(): Promise<void> {
  await run('git', ['add', '-A']);
  const author = ['-c', 'user.name=Scripted', '-c', 'user.email=scripted@example.org'];
  await run('git', [...author, 'commit', '-q', '-m', 'Greet']);
}
