import { z } from 'zod';
import { Label } from '#contract/host/host-setting.ts';
import { HostInvitation } from '#contract/joining/invitation.ts';
import { message, required, words } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

export const inviteHost = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'InviteHost',
  summary: 'Invites a machine to join as a host: returns the one line to run there, which works once, for 15 minutes.',
  guidance:
    'command is the line to run on the other machine; it contains a secret. The host gets the name and the labels of the ' +
    'invitation, and is admitted. already_exists if a host or an open invitation has the name. list_host_invitations shows what ' +
    'happened to it, withdraw_host_invitation ends it.',
  request: message('host.v1.InviteHostRequest', {
    name: [1, words(255), 'The name that the host gets. Unset: the machine’s own name.'],
    labels: [2, z.array(Label).max(32), 'The labels that the host gets, as `key=value`, at most 32.'],
  }),
  response: message('host.v1.InviteHostResponse', {
    invitation: [1, HostInvitation, 'What a machine may join with, without its token.'],
    command: [2, z.string(), 'The line to run on the other machine: `muster join ` and an address. It works once.'],
    notice: [3, z.string(), 'Why other machines may not reach that address, and what to do. Unset if they should.'],
  }),
  access: 'write',
  idempotent: false,
  secret: true,
  roles: [],
});

export const listHostInvitations = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'ListHostInvitations',
  summary: 'Lists the invitations for machines to join as hosts, and what happened to them.',
  guidance: 'The newest first. Those that were used, withdrawn or ran out are listed for a day.',
  request: message('host.v1.ListHostInvitationsRequest', {}),
  response: message('host.v1.ListHostInvitationsResponse', {
    invitations: [1, z.array(HostInvitation), 'The invitations, the newest first.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const withdrawHostInvitation = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'WithdrawHostInvitation',
  summary: 'Withdraws an invitation, so that no machine can join with it any more.',
  guidance:
    'invitationId is its id, or the name that its host would have got. failed_precondition if a machine has joined with it: ' +
    'remove_host removes that host. Withdrawing an ended one changes nothing.',
  request: message('host.v1.WithdrawHostInvitationRequest', {
    invitationId: [1, required(z.string().min(1).max(255)), 'The invitation, by its id or by its host’s name.'],
  }),
  response: message('host.v1.WithdrawHostInvitationResponse', {
    invitation: [1, HostInvitation, 'The invitation after the call.'],
  }),
  access: 'write',
  idempotent: true,
  roles: [],
});
