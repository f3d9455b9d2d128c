import { z } from 'zod';
import { Host } from '#contract/host/host.ts';
import { message, required } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

export const removeHost = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'RemoveHost',
  summary:
    'Removes a host that joined by an invitation: its keys are refused permanently, and its connection ends at once.',
  guidance:
    'hostId is an id or a name. failed_precondition while it has agents that are not archived, unless now is true. Its agents keep their ' +
    'last known state and say that their host was removed; their windows and worktrees on the machine are not touched, and ' +
    'delete_agent with abandon gives them up. To return, the machine joins again as a new host. Repeat the call if it fails with unavailable.',
  request: message('host.v1.RemoveHostRequest', {
    hostId: [1, required(z.string().min(1).max(255)), 'The host, by id or name.'],
    now: [2, z.boolean(), 'Whether to remove it although it has agents.'],
  }),
  response: message('host.v1.RemoveHostResponse', {
    host: [1, Host, 'The host as last known. Unset if the machine never reported.'],
    hostId: [2, z.string(), 'The id of the removed host.'],
    agents: [3, z.array(z.string()), 'The names of its agents that are not archived, at most 100.'],
  }),
  access: 'write',
  idempotent: true,
  destructive: true,
  roles: [],
});
