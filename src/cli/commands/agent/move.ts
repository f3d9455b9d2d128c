import { Option } from 'commander';
import type { Define } from '#cli/client/session.ts';
import { findAgent, type ListedAgent } from '#cli/find/find-agent.ts';
import { outcomeOf } from '#cli/print/outcome.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import type { Agent } from '#contract/agent/agent.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';

const method = 'agent.v1.AgentService/MoveAgent';
/** How long a move may take after the agent has come to rest, in minutes: more than the limits of its steps together. */
const minutes = 24 * 60;

interface MoveFlags extends OutputFlags {
  readonly host?: string;
  readonly dir?: string;
  readonly cancel?: true;
  readonly gone?: true;
  readonly fromLastRound?: true;
  readonly wait: boolean;
}

/** `muster move`: moves an agent to another host. */
export const define: Define = (command, { io, client: connect }) => {
  command
    .description(
      'Moves an agent to another host, with its commits, its staged, changed and untracked files, and its CLI’s conversation. It ' +
        'moves once it is at rest. If anything fails, it is resumed where it was. Ignored files are not carried: they stay on the ' +
        'host that it leaves.\n\nIt waits and prints the result, and exits with 6 if the agent did not move.',
    )
    .option('--host <host>', 'the host, by id or name (default: one that can take it, with the fewest agents)')
    .option(
      '--dir <directory>',
      'its repository’s checkout there (default: the same path, or a repository made of what is carried)',
    )
    .option('--from-last-round', 'move from a lost host with what its last review round had; says what may be missing')
    .addOption(new Option('--cancel', 'cancel: it stays or returns').conflicts(['host', 'dir', 'fromLastRound']))
    .option('--gone', 'with --cancel: confirm that nothing of it runs on the lost host, so that it returns at once')
    .option('--no-wait', 'do not wait: exit once the move is accepted')
    .addOption(outputOption())
    .action(async (nameOrId: string, { host, dir, cancel, gone, fromLastRound, wait, ...flags }: MoveFlags) => {
      const client = connect();
      const found = await findAgent(client, nameOrId, { archivedFirst: false });
      const asked = {
        ...(host && { host }),
        ...(dir && { dir }),
        ...(cancel && { cancel }),
        ...(gone && { gone }),
        ...(fromLastRound && { fromLastRound }),
      };
      const {
        agent: accepted = {},
        notCarried = [],
        mayBeMissing = [],
      } = await client.call(method, { agentId: found.id, ...asked });
      if (cancel) return writeRecord(io, flags, accepted, () => `${printable(found.name)} does not move\n`);
      for (const one of notCarried) io.stderr.write(`not carried: ${printable(one)}\n`);
      for (const one of mayBeMissing) io.stderr.write(`may be missing: ${printable(one)}\n`);
      const still = `${printable(found.name)} still moves to ${printable(accepted.movingTo ?? '')}`;
      const isOver = ({ movingTo }: Agent): boolean => movingTo === undefined;
      const end = wait ? await outcomeOf(io, client, { id: found.id, still, minutes, isOver }) : accepted;
      requireArrived(found, end);
      const to = printable(accepted.movingTo ?? 'its new host');
      writeRecord(io, flags, end ?? {}, () => `${printable(found.name)} ${wait ? `is on ${to}` : `moves to ${to}`}\n`);
    });
};

/** @throws FAILED_PRECONDITION when the agent did not arrive */
function requireArrived({ name }: ListedAgent, end: Agent | undefined): void {
  if (end === undefined) throw new Failure('CHANGE_FAILED', `${printable(name)} was deleted meanwhile`);
  if (end.failedMove === undefined) return;
  throw new Failure('CHANGE_FAILED', `${printable(name)} did not move: ${end.failedMove}`);
}
