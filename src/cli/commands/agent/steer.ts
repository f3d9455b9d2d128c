import type { Command } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';
import { type FoundAgent, findAgent, typedName } from '#cli/find/find-agent.ts';
import { stateText } from '#cli/print/agent-state.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { listedOperation } from '#cli/rpc/listed-operation.ts';
import type { Agent } from '#contract/agent/agent.ts';
import { Failure } from '#contract/failure.ts';
import type { Key } from '#contract/key.ts';
import { printable, printableScreenText } from '#contract/printable.ts';

interface AnswerFlags extends OutputFlags {
  readonly screen?: string;
}

/** How much of a screen's digest a person is shown and gives back. */
const shownDigits = 12;
const fewestDigits = 8;

const steers: Readonly<Record<string, (command: Command, session: Session) => void>> = {
  prompt: (command, session) =>
    command
      .description(
        'Types a prompt into an agent’s window, submits it, and prints the agent’s state; - reads it from standard ' +
          'input. Nothing is typed if the agent waits for you, has a draft in its composer, or has ended (exit code 6).',
      )
      .addOption(outputOption())
      .action(async (said: string, text: string, flags: OutputFlags) => {
        const client = session.client();
        const found = await findAgent(client, said);
        const prompt = await textSource(session.io).read('the prompt', text);
        const { agent = {} } = await client
          .call('agent.v1.AgentService/PromptAgent', { agentId: found.id, prompt })
          .catch((error: unknown) => Promise.reject(withWayOut(error, found)));
        print(session, flags, found, agent);
      }),
  interrupt: (command, session) =>
    command
      .description('Ends an agent’s turn. An agent that waits for you, or is at rest, is left alone (exit code 6).')
      .addOption(outputOption())
      .action(async (said: string, flags: OutputFlags) => {
        const client = session.client();
        const found = await findAgent(client, said);
        const { agent = {} } = await client.call('agent.v1.AgentService/InterruptAgent', { agentId: found.id });
        print(session, flags, found, agent);
      }),
  answer: (command, session) =>
    command
      .description(
        'Shows what an agent waits for. With keys and the screen they are for, presses them one after another, unless the ' +
          `screen has changed since.\n\nKeys: digits, letters a to z, ${keys()
            .filter((key) => key.length > 1)
            .join(', ')}.`,
      )
      .option('-s, --screen <id>', 'the screen that the keys answer, as it was shown')
      .addOption(outputOption())
      .action(async (said: string, keys: string[], flags: AnswerFlags) => {
        const found = await findAgent(session.client(), said);
        if (keys.length > 0) return press(session, found, keys, flags);
        return showQuestion(session, found, flags);
      }),
};

/** `muster prompt`, `interrupt` and `answer`: the command's own name says which. */
export const define: Define = (command, session) => {
  steers[command.name()]?.(command, session);
};

/** What a person does where a prompt may not be typed, by why it may not. */
const waysOut: readonly (readonly [why: RegExp, way: string, what: string])[] = [
  [/waits for a person's answer/, 'muster answer', 'shows what it asks'],
  [/stands in its composer|scrolls in its window/, 'muster attach', 'opens its window'],
  [/takes no prompt meanwhile/, 'muster mail send', 'reaches it once it is idle'],
  [/a person holds it/, 'muster unhold', 'gives it back'],
];

/** The refusal of a prompt with the command that leads on, where there is one. */
function withWayOut(error: unknown, { agent }: FoundAgent): unknown {
  if (!(error instanceof Failure)) return error;
  const [, way, what] = waysOut.find(([why]) => why.test(error.message)) ?? [];
  if (way === undefined || error.message.includes(way)) return error;
  return new Failure(error.code, `${error.message}; ${way} ${typedName(agent)} ${what}`, { cause: error });
}

async function showQuestion(session: Session, { id, name, agent }: FoundAgent, flags: OutputFlags): Promise<void> {
  const pane = await session.client().call('agent.v1.AgentService/ReadPane', { agentId: id });
  const asks = pane.reading?.state === 'AGENT_STATE_WAITING';
  const screen = (pane.screenDigest ?? '').slice(0, shownDigits);
  const shown = printableScreenText(pane.screen?.text ?? '').replace(/^\n+|\n+$/g, '');
  const next = asks
    ? `${printable(name)} waits: muster answer ${typedName(agent)} --screen ${screen} KEY...`
    : `${printable(name)} asks nothing`;
  writeRecord(session.io, flags, pane, () => `${shown}\n\n${next}\n`);
}

async function press(session: Session, found: FoundAgent, keys: string[], flags: AnswerFlags): Promise<void> {
  const client = session.client();
  const { screen = '' } = flags;
  if (!isDigest(screen)) {
    const given =
      screen === '' ? '' : ` by at least ${fewestDigits} digits, and ${JSON.stringify(screen)} is none of that`;
    throw new Failure(
      'invalid_argument',
      `--screen says which screen is answered${given}: \`muster answer ${typedName(found.agent)}\` shows it with what to write`,
    );
  }
  const { screenDigest = '' } = await client.call('agent.v1.AgentService/ReadPane', { agentId: found.id });
  if (!screenDigest.startsWith(screen)) {
    throw new Failure(
      'aborted',
      `the screen of ${found.name} is another one by now, and nothing was pressed: look again with ` +
        `\`muster answer ${typedName(found.agent)}\``,
    );
  }
  const { agent = {} } = await client.call('agent.v1.AgentService/AnswerAgent', {
    agentId: found.id,
    screenDigest,
    keys: keys.map(keyOf),
  });
  print(session, flags, found, agent);
}

function isDigest(screen: string): boolean {
  return /^[0-9a-f]+$/.test(screen) && screen.length >= fewestDigits;
}

function keyOf(word: string): Key {
  const key = keys().find((one) => one === word);
  if (key !== undefined) return key;
  throw new Failure('invalid_argument', `${JSON.stringify(word)} is no key: ${keys().join(', ')}`);
}

function keys(): readonly Key[] {
  const { type } =
    listedOperation('agent.v1.AgentService/AnswerAgent').fields.find(({ path }) => path[0] === 'keys') ?? {};
  return type?.kind === 'enum' ? type.choices.map(({ value }) => value as Key) : [];
}

function print({ io }: Session, flags: OutputFlags, { name }: FoundAgent, agent: Agent): void {
  writeRecord(io, flags, agent, () => `${printable(name)}: ${printable(stateText({ agent }))}\n`);
}
