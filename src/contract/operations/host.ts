import { z } from 'zod';
import { CheckedPart } from '#contract/host/check.ts';
import { HarnessLaunch, Host, RemovedHost } from '#contract/host/host.ts';
import { Label, LabelKey, patienceLimits } from '#contract/host/host-setting.ts';
import { StartedMove } from '#contract/host/started-move.ts';
import { meaningsOf, message, required } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { harnessNamePattern } from '#contract/pane/harness-file.ts';

const same = meaningsOf(HarnessLaunch);
const hostId = [required(z.string().min(1)), 'The host, by id or name.'] as const;
const changedHost = [Host, 'The host after the call.'] as const;

export const listHosts = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'ListHosts',
  summary: 'Lists the hosts: the computers that agents are placed on.',
  guidance: '',
  request: message('host.v1.ListHostsRequest', {}),
  response: message('host.v1.ListHostsResponse', {
    hosts: [1, z.array(Host), 'All hosts, including lost ones.'],
    removed: [2, z.array(RemovedHost), 'Removed hosts whose agents are still listed.'],
  }),
  access: 'read',
  idempotent: true,
  roles: ['orchestrator'],
  peopleOnly: { fields: [], guidance: 'A silent or lost host keeps its agents until it returns.' },
});

export const drainHost = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'DrainHost',
  summary: 'Closes a host to new agents, or opens it again. Its present agents continue.',
  guidance:
    'hostId is an id or a name. No new agent is placed there, even if a workflow or a request names it; only children still ' +
    'join their parents. undo opens it again, and admits a new host. Draining a draining host changes nothing. move has its agents ' +
    'move away; moves says for each where to, or why it stays.',
  request: message('host.v1.DrainHostRequest', {
    hostId: [1, ...hostId],
    undo: [2, z.boolean(), 'true: agents are placed there again, and a new host is admitted.'],
    move: [3, z.boolean(), 'true: its agents move to other hosts, each once it is at rest, as with move_agent.'],
  }),
  response: message('host.v1.DrainHostResponse', {
    host: [1, ...changedHost],
    moves: [2, z.array(StartedMove), 'With `move`: each of its agents that is not archived, and whether it moves.'],
  }),
  access: 'write',
  idempotent: true,
  roles: [],
});

const count = z.int32().min(0).max(1_000_000);

export const updateHost = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'UpdateHost',
  summary: 'Sets the labels of a host, its limits, and after how much silence it counts as lost.',
  guidance:
    'hostId is an id or a name. An omitted field stays. Name a field in clear to return it to its default. A launch that a limit ' +
    'leaves no room for waits; what is in progress continues.',
  request: message('host.v1.UpdateHostRequest', {
    hostId: [1, ...hostId],
    setLabels: [2, z.array(Label).max(64), 'Labels to add or change, each as `key=value`, such as `gpu=yes`.'],
    removeLabels: [3, z.array(LabelKey).max(64), 'Keys of labels to remove. Unknown ones are ignored.'],
    patienceSeconds: [
      4,
      z.int32().min(0).max(patienceLimits.max),
      'After how many seconds of silence it counts as lost, such as 14400 for a laptop that sleeps. The default is 300.',
    ],
    maxAgents: [
      5,
      count,
      'How many agents it may have, not counting archived ones. By default it has no limit of its own.',
    ],
    maxLaunches: [6, count, 'How many launches may be in progress on it at once. The default is 16.'],
    maxSetups: [7, count, 'How many of these may still have their setup script to run. The default is 4.'],
    maxAtWork: [
      9,
      count,
      'With how many agents at work it takes no launches. Prompts still start those that rest. By default it has no such limit.',
    ],
    minDiskFreeMib: [
      10,
      count,
      'Below how much free space on the disk of its worktrees it takes no launches, in MiB. The default is 1024.',
    ],
    clear: [
      8,
      z.array(
        z.enum(['labels', 'patienceSeconds', 'maxAgents', 'maxLaunches', 'maxSetups', 'maxAtWork', 'minDiskFreeMib']),
      ),
      'Fields to return to their defaults, by name. A field that is also given is set instead.',
    ],
  }),
  response: message('host.v1.UpdateHostResponse', { host: [1, ...changedHost] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const forgetHost = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'ForgetHost',
  summary: 'Forgets a lost host that will never return, once it has no agents.',
  guidance:
    'hostId is an id or a name. failed_precondition while it is online, and while it has agents, even archived ones: delete_agent ' +
    'with abandon removes those. Nothing on the computer is touched; if it returns after all, it is a new host.',
  request: message('host.v1.ForgetHostRequest', { hostId: [1, ...hostId] }),
  response: message('host.v1.ForgetHostResponse', { host: [1, Host, 'The host as last known.'] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const forgetHostKey = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'ForgetHostKey',
  summary: 'Lets a host that lost its key use a new one: the first key that connects is its key from then on.',
  guidance:
    'hostId is an id or a name. For a host that is refused because its key was lost. Make sure that nobody can impersonate it: ' +
    'whoever has its credential for the bus and connects first becomes that host. Its agents are not touched.',
  request: message('host.v1.ForgetHostKeyRequest', { hostId: [1, ...hostId] }),
  response: message('host.v1.ForgetHostKeyResponse', { host: [1, ...changedHost] }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const listHarnessLaunches = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'ListHarnessLaunches',
  summary: 'Lists the launch parts of rules files on a host, and whether a person has confirmed them.',
  guidance:
    'hostId is an id or a name. The host reads its files again. harness limits the list to one; without it, the list has as many ' +
    'as fit into one answer.',
  request: message('host.v1.ListHarnessLaunchesRequest', {
    hostId: [1, ...hostId],
    harness: [2, z.string(), 'Only this harness, by name. Unset: all.'],
  }),
  response: message('host.v1.ListHarnessLaunchesResponse', {
    launches: [1, z.array(HarnessLaunch), 'The launch parts of the host’s files, as just read.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});

const Directory = message('host.v1.Directory', {
  path: [1, z.string(), 'Its path, which begins with the request’s.'],
  repository: [2, z.boolean(), 'Whether it is the root of a Git checkout.'],
});

export const listDirectories = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'ListDirectories',
  summary: 'Lists the directories on a host whose paths begin with a given one, to choose one.',
  guidance:
    'hostId is an id or a name. path is absolute or begins with ~/; the part after its last / is the beginning of a name. ' +
    'Lists only what the user of muster on that host may read. failed_precondition if there is no such folder.',
  request: message('host.v1.ListDirectoriesRequest', {
    hostId: [1, ...hostId],
    path: [2, required(z.string().min(1).max(4_096)), 'The beginning of their paths.'],
  }),
  response: message('host.v1.ListDirectoriesResponse', {
    directories: [
      1,
      z.array(Directory),
      'The first 50, ordered by name. Hidden ones only if the name in `path` begins with a dot.',
    ],
    more: [2, z.boolean(), 'Whether there are more.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const confirmHarness = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'ConfirmHarness',
  summary: 'Confirms the launch part of a rules file on a host, until the file changes.',
  guidance:
    'hostId is an id or a name; digest is the one that list_harness_launches returned with what you saw. failed_precondition if the ' +
    'file has changed since: look again. A host has one confirmed digest per harness: confirming another one replaces it.',
  request: message('host.v1.ConfirmHarnessRequest', {
    hostId: [1, ...hostId],
    harness: [2, required(z.string().regex(harnessNamePattern)), same.harness],
    digest: [3, required(z.string().min(1).max(128)), 'The digest of what you saw, from list_harness_launches.'],
  }),
  response: message('host.v1.ConfirmHarnessResponse', {
    launch: [1, HarnessLaunch, 'The confirmed launch part.'],
  }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const runDoctor = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'RunDoctor',
  summary: 'Checks what the registry and every host need on their computers. Changes nothing.',
  guidance:
    'hostId, an id or a name, limits it to one host. A host that does not answer within five seconds gets a failed check that ' +
    'says so; new hosts are not asked. Each check says what was found and what to do.',
  request: message('host.v1.RunDoctorRequest', {
    hostId: [1, z.string(), 'Check only this host, by id or name. Unset: everything.'],
  }),
  response: message('host.v1.RunDoctorResponse', {
    parts: [1, z.array(CheckedPart), 'The registry and each host, with their checks.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});
