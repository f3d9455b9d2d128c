import type { Command } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';
import { type RotateFlags, rotate } from '#cli/commands/token-rotate.ts';
import { findAgent, typedName } from '#cli/find/find-agent.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { parkText } from '#cli/print/park-text.ts';
import type { Agent } from '#contract/agent/agent.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';
import { comingTime } from './given-time.ts';

const edits: Readonly<Record<string, (command: Command, session: Session) => void>> = {
  rename: (command, session) =>
    command
      .description('Renames an agent and its window. Names are unique among agents that are not archived.')
      .addOption(outputOption())
      .action(async (nameOrId: string, newName: string, flags: OutputFlags) => {
        const client = session.client();
        const { id, name } = await findAgent(client, nameOrId);
        const { agent = {} } = await client.call('agent.v1.AgentService/RenameAgent', { agentId: id, name: newName });
        writeRecord(session.io, flags, agent, () => `${printable(name)} is now ${printable(agent.name ?? newName)}\n`);
      }),
  mark: (command, session) =>
    command
      .description('Gives an agent a letter a to z that names it in every command; without a letter, removes it.')
      .addOption(outputOption())
      .action(async (nameOrId: string, letter: string | undefined, flags: OutputFlags) => {
        const client = session.client();
        const { id, name, row: before } = await findAgent(client, nameOrId);
        const { agent: row = {} } = await client.call('agent.v1.AgentService/MarkAgent', {
          agentId: id,
          ...(letter !== undefined && { mark: letter }),
        });
        const none = before.mark ? `mark ${before.mark} is removed from ${name}` : `${name} has no mark`;
        writeRecord(session.io, flags, row, () => `${printable(row.mark ? `${name} is marked ${row.mark}` : none)}\n`);
      }),
  hold: (command, session) =>
    command
      .description(
        'Takes an agent over: interrupts its turn. Until muster unhold, muster types nothing, runs no script, and neither ' +
          'archives nor deletes it. Its window stays: muster attach opens it.',
      )
      .addOption(outputOption())
      .action((nameOrId: string, flags: OutputFlags) =>
        setHold(
          session,
          nameOrId,
          flags,
          'HoldAgent',
          (agent) => `is held: muster leaves it alone until muster unhold ${typedName(agent)}`,
        ),
      ),
  unhold: (command, session) =>
    command
      .description('Gives a held agent back. Waiting mail is announced when it is next idle.')
      .addOption(outputOption())
      .action((nameOrId: string, flags: OutputFlags) =>
        setHold(session, nameOrId, flags, 'UnholdAgent', () => 'is given back'),
      ),
  park: (command, session) =>
    command
      .description(
        'Parks an agent, until a time or without an end, or changes until when it is parked: its doorbells wait, and muster types nothing on its ' +
          'own. muster parks agents at a usage limit of their account. --resume lets muster ask it to continue then; --no-resume forbids it.',
      )
      .option('--until <time>', 'when it ends, such as 30m, 2h or 2026-12-01T09:00:00Z (no end: muster unpark ends it)')
      .option('--resume', 'ask it to continue then, if its screen still shows a limit')
      .option('--no-resume', 'do not')
      .addOption(outputOption())
      .action((nameOrId: string, flags: ParkFlags) => park(session, nameOrId, flags)),
  unpark: (command, session) =>
    command
      .description('Ends the parking of an agent. Nothing is typed: muster prompt continues it.')
      .option('--account', 'of all agents of its account, and let schedules fire with it')
      .addOption(outputOption())
      .action(async (nameOrId: string, flags: OutputFlags & { readonly account?: true }) => {
        const client = session.client();
        const { id, name, agent: before } = await findAgent(client, nameOrId);
        const wholeAccount = flags.account ?? false;
        const { agent = {} } = await client.call('agent.v1.AgentService/UnparkAgent', { agentId: id, wholeAccount });
        const alone = before.park ? `${name} is no longer parked` : `${name} was not parked`;
        const said = wholeAccount ? `${name} and the other agents of its account are not parked` : alone;
        writeRecord(session.io, flags, agent, () => `${printable(said)}\n`);
      }),
  token: (command, session) =>
    command
      .description(
        'Prints a new token of an agent, and nothing else: anyone who has it can act as that agent. `muster token rotate` revokes every token ' +
          'of agents, browsers and the operator, who gets a new one. Name an agent called rotate by its id.',
      )
      .option('--agent <name>', 'with rotate: revoke only the tokens of this agent')
      .addOption(outputOption(undefined, 'the token alone'))
      .action(async (nameOrId: string, flags: RotateFlags) => {
        if (nameOrId === 'rotate') return rotate(session, flags);
        if (flags.agent !== undefined) throw new Failure('INVALID_USAGE', '--agent goes with `muster token rotate`');
        const client = session.client();
        const { id } = await findAgent(client, nameOrId);
        const answer = await client.call('agent.v1.AgentService/IssueAgentToken', { agentId: id });
        writeRecord(
          session.io,
          { output: flags.output ?? 'table' },
          answer,
          () => `${printable(answer.token ?? '')}\n`,
        );
      }),
};

interface ParkFlags extends OutputFlags {
  readonly until?: string;
  readonly resume?: boolean;
}

async function park(session: Session, nameOrId: string, { until, resume, ...flags }: ParkFlags): Promise<void> {
  const { io } = session;
  const client = session.client();
  const { id, name } = await findAgent(client, nameOrId);
  const { agent = {} } = await client.call('agent.v1.AgentService/ParkAgent', {
    agentId: id,
    ...(until !== undefined && { until: comingTime('--until', until, io.now()) }),
    ...(resume !== undefined && { resume }),
  });
  const { park: parked = {} } = agent;
  const end = parked.until ? '' : ` without an end: muster unpark ${typedName(agent)} ends it`;
  writeRecord(io, flags, agent, () => `${printable(name)} is ${parkText(parked, io.now())}${end}\n`);
}

async function setHold(
  session: Session,
  nameOrId: string,
  flags: OutputFlags,
  method: 'HoldAgent' | 'UnholdAgent',
  resultOf: (agent: Agent) => string,
): Promise<void> {
  const client = session.client();
  const { id, name, agent: found } = await findAgent(client, nameOrId);
  const { agent = {} } = await client.call(`agent.v1.AgentService/${method}`, { agentId: id });
  writeRecord(session.io, flags, agent, () => `${printable(name)} ${resultOf(found)}\n`);
}

/** `muster rename`, `mark`, `hold`, `unhold` and `token`: the command's own name says which. */
export const define: Define = (command, session) => {
  edits[command.name()]?.(command, session);
};
