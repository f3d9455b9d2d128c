import { z } from 'zod';
import { CheckedPart } from '#contract/host/check.ts';
import { HarnessLaunch, Host } from '#contract/host/host.ts';
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
  summary: 'Lists the machines that agents are placed on.',
  guidance:
    'A host that is HOST_STATE_LOST keeps its agents; they are seen again when it is back. load is as of measuredAt.',
  request: message('host.v1.ListHostsRequest', {}),
  response: message('host.v1.ListHostsResponse', {
    hosts: [1, z.array(Host), 'All machines, those that are lost included.'],
  }),
  access: 'read',
  idempotent: true,
  roles: ['orchestrator'],
});

export const drainHost = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'DrainHost',
  summary: 'Takes a host out of service for new agents, or back into service: those on it continue.',
  guidance:
    'hostId is an id or a name. No new agent is placed there, even if a workflow or a request names it; children still ' +
    'join their parents. undo takes it back, and takes a newcomer in. Draining a draining host changes nothing.',
  request: message('host.v1.DrainHostRequest', {
    hostId: [1, ...hostId],
    undo: [2, z.boolean(), 'true: agents are placed there again, and a newcomer is accepted.'],
  }),
  response: message('host.v1.DrainHostResponse', { host: [1, ...changedHost] }),
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
    'hostId is an id or a name. failed_precondition while it is online, and while it has agents, archived ones too: delete_agent ' +
    'with abandon takes those away. Nothing on the machine is touched; if it returns after all, it is a new host.',
  request: message('host.v1.ForgetHostRequest', { hostId: [1, ...hostId] }),
  response: message('host.v1.ForgetHostResponse', { host: [1, Host, 'The host as it was last.'] }),
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
    'hostId is an id or a name. Only for a host that is refused because its key was lost, while nobody else can pass for it: ' +
    'whoever has the hosts’ password of the bus and comes first is that host. Nothing of its agents is touched.',
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
    'hostId is an id or a name. The host reads its files again. harness leaves the others out; without it, files are left out that ' +
    'one answer has no room for.',
  request: message('host.v1.ListHarnessLaunchesRequest', {
    hostId: [1, ...hostId],
    harness: [2, z.string(), 'Only this one, by name. Unset: all.'],
  }),
  response: message('host.v1.ListHarnessLaunchesResponse', {
    launches: [1, z.array(HarnessLaunch), 'What files on the host define, as read just now.'],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});

const Directory = message('host.v1.Directory', {
  path: [1, z.string(), 'Its path, which begins as the request’s does.'],
  repository: [2, z.boolean(), 'Whether it is the top of a git checkout.'],
});

export const listDirectories = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'ListDirectories',
  summary: 'Lists directories on a host to choose one from: those that begin as a path does.',
  guidance:
    'hostId is an id or a name. path is absolute or begins with ~/; what stands behind its last / is the beginning of a name. ' +
    'Only what the user of muster on that machine may read; failed_precondition if there is no such folder.',
  request: message('host.v1.ListDirectoriesRequest', {
    hostId: [1, ...hostId],
    path: [2, required(z.string().min(1).max(4_096)), 'How their paths begin.'],
  }),
  response: message('host.v1.ListDirectoriesResponse', {
    directories: [
      1,
      z.array(Directory),
      'The first 50, in the order of their names. Hidden ones only if asked for by their dot.',
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
  summary: 'Confirms the launch part of a rules file on a host, as long as the file does not change.',
  guidance:
    'hostId is an id or a name; digest is that of what you saw (list_harness_launches). failed_precondition if the file ' +
    'says something else by now: look again. One digest of a harness counts on a host: confirming another one replaces it.',
  request: message('host.v1.ConfirmHarnessRequest', {
    hostId: [1, ...hostId],
    harness: [2, required(z.string().regex(harnessNamePattern)), same.harness],
    digest: [3, required(z.string().min(1).max(128)), 'What you saw, as list_harness_launches names it.'],
  }),
  response: message('host.v1.ConfirmHarnessResponse', {
    launch: [1, HarnessLaunch, 'What may be launched from now on.'],
  }),
  access: 'write',
  idempotent: true,
  roles: [],
});

export const runDoctor = operation({
  package: 'host.v1',
  service: 'HostService',
  method: 'RunDoctor',
  summary: 'Checks what the registry and every host need on their machines, and changes nothing.',
  guidance:
    'hostId is an id or a name, and leaves the others out. A host that does not answer within five seconds has a failure that ' +
    'says so, and one that is new is not asked. Each check says what was found and what to do.',
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
