import type { Command } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';
import { findAgent, type ListedAgent, typedName } from '#cli/find/find-agent.ts';
import { type OutputFlags, outputOption } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { Failure } from '#contract/failure.ts';
import type { FailureReason } from '#contract/reason/failure-reasons.ts';
import { defineAnswer } from './answer.ts';
import { printSteered } from './steered.ts';

const steers: Readonly<Record<string, (command: Command, session: Session) => void>> = {
  prompt: (command, session) =>
    command
      .description(
        'Types a prompt into an agent’s window, submits it, and prints the agent’s state; - reads it from standard ' +
          'input. Nothing is typed if the agent waits for you, has a draft in its composer, or has ended (exit code 6).',
      )
      .addOption(outputOption())
      .action(async (nameOrId: string, text: string, flags: OutputFlags) => {
        const client = session.client();
        const found = await findAgent(client, nameOrId);
        const prompt = await textSource(session.io).read('the prompt', text);
        const { agent = {} } = await client
          .call('agent.v1.AgentService/PromptAgent', { agentId: found.id, prompt })
          .catch((error: unknown) => Promise.reject(withRemedy(error, found)));
        printSteered(session, flags, found, agent);
      }),
  interrupt: (command, session) =>
    command
      .description('Interrupts an agent’s turn. An agent that waits for you, or is idle, is left alone (exit code 6).')
      .addOption(outputOption())
      .action(async (nameOrId: string, flags: OutputFlags) => {
        const client = session.client();
        const found = await findAgent(client, nameOrId);
        const { agent = {} } = await client.call('agent.v1.AgentService/InterruptAgent', { agentId: found.id });
        printSteered(session, flags, found, agent);
      }),
  answer: defineAnswer,
};

/** `muster prompt`, `interrupt` and `answer`: the command's own name says which. */
export const define: Define = (command, session) => {
  steers[command.name()]?.(command, session);
};

/** The command that helps if a prompt was refused, by the reason. */
const remedies: Readonly<Partial<Record<string, readonly [way: string, what: string]>>> = {
  AGENT_WAITS: ['muster answer', 'shows what it asks'],
  DRAFT_IN_COMPOSER: ['muster attach', 'opens its window'],
  WINDOW_SCROLLED: ['muster attach', 'opens its window'],
  AGENT_AT_WORK: ['muster mail send', 'reaches it once it is idle'],
} satisfies Partial<Record<FailureReason, readonly [string, string]>>;

/** The refusal of a prompt, with the command that helps, if any. */
function withRemedy(error: unknown, { agent, name }: ListedAgent): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.reason === ('AGENT_HELD' satisfies FailureReason)) {
    const { heldAt = 'a while ago' } = error.metadata;
    return error.saying(`${name} is held since ${heldAt}: muster unhold ${typedName(agent)} gives it back`);
  }
  const [way, what] = remedies[error.reason] ?? [];
  return way === undefined ? error : error.saying(`${error.message}; ${way} ${typedName(agent)} ${what}`);
}
