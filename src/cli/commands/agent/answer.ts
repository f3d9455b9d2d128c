import type { Command } from 'commander';
import type { Session } from '#cli/client/session.ts';
import { findAgent, type ListedAgent, typedName } from '#cli/find/find-agent.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { answerKey, answerKeys } from '#cli/rpc/answer-keys.ts';
import { Failure } from '#contract/failure.ts';
import type { Key } from '#contract/key.ts';
import type { AnswerKind } from '#contract/pane/pane.ts';
import { printable, printableScreenText } from '#contract/printable.ts';
import { answeredText, typedLine } from './answered-text.ts';
import { LiveAnswer } from './live-answer.ts';

interface AnswerFlags extends OutputFlags {
  readonly screen?: string;
  readonly text?: string;
}

/** The input to type: first a line if there is one, then keys. */
interface Answer {
  readonly text?: string;
  readonly keys: Key[];
}

/** How many digits of a screen's digest a person sees and types. */
const shownDigits = 12;
const minDigits = 8;

/** `muster answer` */
export function defineAnswer(command: Command, session: Session): void {
  command
    .description(
      'Shows what an agent waits for and, in a terminal, reads the keys that answer it, until nothing is asked. With ' +
        'an answer and the screen it is for, types that, unless the screen has changed since: a line and Enter if a ' +
        `line is asked for, otherwise keys one after another.\n\nKeys: digits, letters a to z, ${answerKeys()
          .filter((key) => key.length > 1)
          .join(', ')}.`,
    )
    .option('-s, --screen <id>', 'the id of the screen that you answer, as it was shown')
    .option(
      '--text <line>',
      'a line to type first; - reads it from standard input. Enter sends it unless keys are given',
    )
    .addOption(outputOption())
    .action(async (nameOrId: string, words: string[], flags: AnswerFlags) => {
      const found = await findAgent(session.client(), nameOrId);
      if (words.length > 0 || flags.text !== undefined) return press(session, found, words, await read(session, flags));
      const { stdin, stdout } = session.io;
      const isLive = stdin.isTTY && stdin.setRawMode && stdout.isTTY && flags.output === undefined;
      if (isLive && flags.screen === undefined) return new LiveAnswer(session, found).run();
      return showQuestion(session, found, flags);
    });
}

async function read(session: Session, flags: AnswerFlags): Promise<AnswerFlags> {
  if (flags.text === undefined) return flags;
  return { ...flags, text: (await textSource(session.io).read('the text', flags.text)).replace(/\r?\n$/, '') };
}

async function showQuestion(session: Session, { id, name, agent }: ListedAgent, flags: OutputFlags): Promise<void> {
  const pane = await session.client().call('agent.v1.AgentService/ReadPane', { agentId: id });
  const asks = pane.reading?.state === 'AGENT_STATE_WAITING';
  const screen = (pane.screenDigest ?? '').slice(0, shownDigits);
  const shown = printableScreenText(pane.screen?.text ?? '').replace(/^\n+|\n+$/g, '');
  const next = asks
    ? `${printable(name)} waits: muster answer ${typedName(agent)} --screen ${screen} ${wanted(pane.reading?.answer)}`
    : `${printable(name)} is not waiting for an answer`;
  writeRecord(session.io, flags, pane, () => `${shown}\n\n${next}\n`);
}

function wanted(kind: AnswerKind | undefined): string {
  if (kind === 'ANSWER_KIND_LINE') return "'ANSWER'";
  return kind === 'ANSWER_KIND_SECRET' ? '--text -' : 'KEY...';
}

async function press(session: Session, found: ListedAgent, words: string[], flags: AnswerFlags): Promise<void> {
  const client = session.client();
  const { screen = '' } = flags;
  if (!isDigest(screen)) {
    const given = screen === '' ? '' : ` by at least ${minDigits} digits, and ${JSON.stringify(screen)} does not`;
    throw new Failure(
      'INVALID_USAGE',
      `--screen must name the screen that you answer${given}: \`muster answer ${typedName(found.agent)}\` prints the whole command`,
    );
  }
  const { screenDigest = '', reading } = await client.call('agent.v1.AgentService/ReadPane', { agentId: found.id });
  if (!screenDigest.startsWith(screen)) {
    throw new Failure(
      'SCREEN_CHANGED',
      `the screen of ${found.name} has changed, and nothing was pressed: look again with ` +
        `\`muster answer ${typedName(found.agent)}\``,
      { metadata: { screenDigest } },
    );
  }
  const answer = given(words, reading?.answer, flags.text);
  const request = { agentId: found.id, screenDigest, ...answer };
  const { agent = {} } = await client.call('agent.v1.AgentService/AnswerAgent', request);
  const isSecret = reading?.answer === 'ANSWER_KIND_SECRET';
  const typed = [...(answer.text === undefined ? [] : [typedLine(answer.text, isSecret)]), ...answer.keys];
  writeRecord(session.io, flags, agent, () => `${answeredText(found.name, typed, agent)}\n`);
}

function isDigest(screen: string): boolean {
  return /^[0-9a-f]+$/.test(screen) && screen.length >= minDigits;
}

/** The input to type. If the question asks for a line, the words are that line, unless they name keys. */
function given(words: readonly string[], kind: AnswerKind | undefined, text: string | undefined): Answer {
  const isLine = kind === 'ANSWER_KIND_LINE' || kind === 'ANSWER_KIND_SECRET';
  const namesKeys = words.some((word) => word.length > 1 && answerKey(word) !== undefined);
  if (text === undefined && isLine && !namesKeys) return { text: words.join(' '), keys: ['Enter'] };
  const pressed = words.map(keyOf);
  return {
    ...(text !== undefined && { text }),
    keys: text !== undefined && pressed.length === 0 ? ['Enter'] : pressed,
  };
}

function keyOf(word: string): Key {
  const key = answerKey(word);
  if (key !== undefined) return key;
  throw new Failure('INVALID_USAGE', `${JSON.stringify(word)} is not a key: ${answerKeys().join(', ')}`);
}
