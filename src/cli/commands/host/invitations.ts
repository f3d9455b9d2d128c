import type { Command } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';
import { type OutputFlags, outputOption, writeList, writeRecord } from '#cli/print/output.ts';
import { textTable } from '#cli/print/text-table.ts';
import { shortName } from '#cli/print/words.ts';
import { elapsedText } from '#contract/elapsed.ts';
import { Failure } from '#contract/failure.ts';
import type { HostInvitation } from '#contract/joining/invitation.ts';
import { printable } from '#contract/printable.ts';

interface InviteFlags extends OutputFlags {
  readonly name?: string;
  readonly label?: readonly string[];
}

const columns = [{ title: 'ID' }, { title: 'NAME' }, { title: 'STATE' }, { title: 'LABELS', min: 6, cutFirst: true }];

/** `muster host invite`, `invitations` and `withdraw`. */
export function defineInvitations(command: Command, session: Parameters<Define>[1]): void {
  command
    .command('invite')
    .summary('invite a machine to join as a host')
    .description('Prints one line to run on the other machine. It works once, for 15 minutes, and holds a secret.')
    .option('--name <name>', 'the name that the host gets (default: the machine’s own)')
    .option('--label <key=value...>', 'labels that the host gets')
    .addOption(outputOption())
    .action((flags: InviteFlags) => invite(session, flags));
  command
    .command('invitations')
    .summary('list invitations, and what happened to them')
    .description('Lists the invitations of the last day: whether a machine may still join, or which host did.')
    .addOption(outputOption())
    .action((flags: OutputFlags) => list(session, flags));
  command
    .command('withdraw <invitation>')
    .summary('withdraw an invitation')
    .description('Withdraws an open invitation, by its id or its name: no machine can join with it then.')
    .addOption(outputOption())
    .action((invitationId: string, flags: OutputFlags) => withdraw(session, flags, invitationId));
}

async function invite({ io, client }: Session, flags: InviteFlags): Promise<void> {
  const { name, label: labels = [] } = flags;
  if (name === '') throw new Failure('INVALID_USAGE', '--name is empty: give the host a name, or leave it out');
  const answer = await client().call('host.v1.HostService/InviteHost', {
    ...(name !== undefined && { name }),
    labels: [...labels],
  });
  const { command = '', notice = '' } = answer;
  if (notice !== '') io.stderr.write(`${printable(notice)}\n`);
  writeRecord(io, flags, answer, () => `${printable(command)}\n`);
}

async function list({ io, client }: Session, flags: OutputFlags): Promise<void> {
  const { invitations = [] } = await client().call('host.v1.HostService/ListHostInvitations', {});
  const cells = (invitation: HostInvitation) =>
    [
      invitation.id ?? '',
      invitation.name ?? '',
      stateText(invitation, io.now()),
      (invitation.labels ?? []).join(' '),
    ].map((text) => ({ text: printable(text) }));
  writeList(io, flags, invitations, () =>
    invitations.length === 0
      ? 'No invitation was made in the last day: muster host invite makes one\n'
      : textTable(columns, invitations.map(cells), io.stdout.columns),
  );
}

function stateText(
  { state = 'HOST_INVITATION_STATE_UNSPECIFIED', hostId = '', expiresAt = '' }: HostInvitation,
  now: number,
): string {
  const word = shortName(state);
  if (state === 'HOST_INVITATION_STATE_USED') return `${word} by ${hostId}`;
  if (state !== 'HOST_INVITATION_STATE_OPEN') return word;
  return `${word} for ${elapsedText(Date.parse(expiresAt) - now)}`;
}

async function withdraw({ io, client }: Session, flags: OutputFlags, invitationId: string): Promise<void> {
  const { invitation = {} } = await client().call('host.v1.HostService/WithdrawHostInvitation', { invitationId });
  writeRecord(io, flags, invitation, () => `Invitation ${printable(invitation.id ?? invitationId)} is withdrawn\n`);
}
