import { execFile } from 'node:child_process';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Mail, Part, Stage } from './part.ts';
import { takeMail } from './part.ts';

const run = promisify(execFile);
const greetings: Readonly<Record<string, string>> = { en: 'Hello', de: 'Guten Tag', fr: 'Bonjour' };

/** Writes what it is briefed to write, rests, and does what it is mailed once its doorbell rings. */
export const implementer: Part = async (text, stage) => {
  const language = /greetings\/([a-z]{2})\.txt/.exec(text)?.[1];
  if (text.includes('muster: ')) {
    for (const mail of await stage.during('Reading mail', () => takeMail(stage))) await answer(mail, stage);
  } else if (language !== undefined) await write(language, stage);
  else stage.say('● I only know how to write greetings/<language>.txt');
};

async function write(language: string, stage: Stage): Promise<void> {
  await stage.during(`Writing greetings/${language}.txt…`, async () => {
    await mkdir('greetings', { recursive: true });
    await writeFile(`greetings/${language}.txt`, `${greetings[language] ?? 'Hi'}!\n`);
    await commit(`Greet in ${language}`);
  });
  stage.say(`● greetings/${language}.txt is written and committed.`);
}

/** Signs its work, as the mail asks, and reports to whoever sent it. */
async function answer({ id, fromAgentId, fromName = 'someone', subject = '' }: Mail, stage: Stage): Promise<void> {
  stage.say(`● Mail from ${fromName}: ${subject}`);
  if (fromAgentId === undefined) return;
  const body = await stage.during('Signing…', async () => {
    await appendFile('SIGNED.txt', `signed for ${fromName}\n`);
    await commit('Sign the work');
    const { stdout: branch } = await run('git', ['branch', '--show-current']);
    const { stdout: sha } = await run('git', ['rev-parse', '--short', 'HEAD']);
    return `${branch.trim()} ${sha.trim()}`;
  });
  await stage.tools.call('send_mail', {
    agentId: fromAgentId,
    subject: 'done',
    body,
    inReplyTo: id,
    idempotencyKey: id,
  });
  stage.say(`● Reported to ${fromName}: ${body}`);
}

async function commit(message: string): Promise<void> {
  await run('git', ['add', '-A']);
  await run('git', [
    '-c',
    'user.name=Scripted',
    '-c',
    'user.email=scripted@example.org',
    'commit',
    '-q',
    '-m',
    message,
  ]);
}
