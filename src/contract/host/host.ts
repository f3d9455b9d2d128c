import { z } from 'zod';
import { enumeration, int64, message } from '#contract/message.ts';

/** Whether a host is reachable. */
export const HostState = enumeration('host.v1.HostState', {
  HOST_STATE_UNSPECIFIED: 'No state; never sent.',
  HOST_STATE_ONLINE: 'Its beats arrive.',
  HOST_STATE_LOST: 'It has been silent for longer than `patienceSeconds`. Its agents keep their last known state.',
  HOST_STATE_SILENT:
    'It has been silent for 30 s, or for three beats in an installation with more than 500 hosts. Its agents keep their last known state, ' +
    'and it types nothing and starts nothing.',
});

/**
 * The load of a host's computer at its last report. Values that its system does not report are 0. If a count or a total
 * is 0, the values that belong to it are unknown too.
 */
export const HostLoad = message('host.v1.HostLoad', {
  measuredAt: [1, z.string(), 'When the registry received these values: RFC 3339, UTC.'],
  loadAverage1m: [
    2,
    z.number(),
    'The load average: programs that ran or waited to run, averaged over the last minute, on all processors together.',
  ],
  cpuCount: [3, z.int32(), 'The number of processors. 0: neither this nor the load average is known.'],
  memoryUsedBytes: [4, int64(), 'Memory in bytes that is not available to other programs. 0: unknown.'],
  memoryTotalBytes: [5, int64(), 'Total memory in bytes. 0: unknown.'],
  diskFreeBytes: [6, int64(), 'Free bytes on the file system of the worktrees, for the user that runs muster.'],
  diskTotalBytes: [7, int64(), 'The size of that file system in bytes. 0: neither this nor the free space is known.'],
});
export type HostLoad = z.infer<typeof HostLoad>;

/** Another computer that uses a host's id and key, for example because a disk or a state folder was copied. */
export const HostRival = message('host.v1.HostRival', {
  machine: [1, z.string(), 'The name that the other computer gives itself.'],
  folder: [2, z.string(), 'The absolute path of its state folder.'],
  seenAt: [3, z.string(), 'When it last tried to connect and was refused: RFC 3339, UTC.'],
});

/** Which version of a CLI the rules of a host were recorded with. Screens differ between versions. */
export const RecordedHarness = message('host.v1.RecordedHarness', {
  harness: [1, z.string(), 'The name of the harness.'],
  recordedWith: [
    2,
    z.string(),
    'The newest version of its CLI whose screens the host’s rules were recorded with. A newer CLI is read more strictly.',
  ],
});
export type RecordedHarness = z.infer<typeof RecordedHarness>;

/** The name of a host that a person removed. */
export const RemovedHost = message('host.v1.RemovedHost', {
  id: [1, z.string(), 'The id that the rows of its agents have.'],
  name: [2, z.string(), 'Its name. Another host may have it by now.'],
});

/** One computer that agents are placed on. Timestamps are RFC 3339 in UTC. */
export const Host = message('host.v1.Host', {
  id: [1, z.string(), 'The id of the host in other calls: `hst_` and a ULID.'],
  name: [2, z.string(), 'Its name. Accepted wherever an id is.'],
  state: [3, HostState, 'Whether it is reachable.'],
  seenAt: [4, z.string(), 'When its last beat arrived: RFC 3339, UTC.'],
  agents: [5, z.int32(), 'How many agents are placed on it, not counting archived ones.'],
  harnesses: [
    6,
    z.array(z.string()),
    'The harnesses it can launch: their CLI is on its PATH, and a person has confirmed what its own rules files launch.',
  ],
  draining: [7, z.boolean(), 'Whether it is closed to new agents.'],
  load: [8, HostLoad, 'Its load at its last report, even if it is lost now.'],
  system: [9, z.string(), 'Its operating system and processor architecture, such as `linux x64`.'],
  musterVersion: [10, z.string(), 'The version of muster that runs there.'],
  startedAt: [11, z.string(), 'When muster started there, by the host’s own clock: RFC 3339, UTC.'],
  gatewayUrl: [16, z.string(), 'The address at which its agents reach muster. Unset for a new host.'],
  gatewayFault: [17, z.string(), 'What was wrong when the host tried that address. Unset if muster answers there.'],
  foundTerminals: [
    12,
    z.array(z.string()),
    'Ids of agents that the database does not have but whose terminals run there, at most 20 for a new host. muster leaves them alone; run_doctor says how to end them.',
  ],
  newcomer: [
    13,
    z.boolean(),
    'Whether no person has admitted it yet. Until then agents are placed there only if a launch names it.',
  ],
  rival: [
    14,
    HostRival,
    'Another computer that used its id and key in the last 30 seconds and was refused. Unset if there was none.',
  ],
  recordedHarnesses: [
    18,
    z.array(RecordedHarness),
    'For each CLI that it can launch, the version that its rules were recorded with, if known.',
  ],
  labels: [19, z.array(z.string()), 'Its labels, each as `key=value`, in the order of their keys. People set them.'],
  agentsAtWork: [
    20,
    z.int32(),
    'How many of its agents are being set up, work, wait for a person or are being closed. A drained host has none.',
  ],
  launches: [21, z.int32(), 'How many launches are in progress on it.'],
  maxAgents: [22, z.int32(), 'How many agents it may have, not counting archived ones. Unset: no limit of its own.'],
  maxLaunches: [23, z.int32(), 'How many launches may be in progress on it at once.'],
  maxSetups: [24, z.int32(), 'How many of these may still have their setup script to run.'],
  patienceSeconds: [25, z.int32(), 'After how many seconds of silence it counts as lost.'],
  stateSince: [26, z.string(), 'Since when it has been in its state: RFC 3339, UTC. Unset if that is not known.'],
  clockOffsetMs: [
    27,
    int64(),
    'By how many milliseconds its clock was ahead of the registry’s at its last report; negative if behind. Unset if unknown.',
  ],
  protocol: [28, z.int32(), 'The version of the messages between hosts and registries that it speaks. 0: unknown.'],
  faults: [
    29,
    z.array(z.string()),
    'What is wrong with it, and how to fix it: whether it sends beats and answers, its version, clock, disk, tmux, certificate and coding agents. None for a new host.',
  ],
  maxAtWork: [30, z.int32(), 'With how many agents at work it takes no launches. Unset: no such limit.'],
  minDiskFreeMib: [
    31,
    z.int32(),
    'Below how much free space on the disk of its worktrees it takes no launches, in MiB.',
  ],
});
export type Host = z.infer<typeof Host>;

/** What a rules file on a host launches. It takes effect once a person has confirmed its digest. */
export const HarnessLaunch = message('host.v1.HarnessLaunch', {
  harness: [1, z.string(), 'The name of the harness that the file defines or changes.'],
  path: [2, z.string(), 'The path of the file on the host.'],
  launch: [
    3,
    z.string(),
    'What the file launches, as JSON: its `launch`, and its `like` if the harness is not built in.',
  ],
  digest: [4, z.string(), 'The SHA-256 of `launch` in hexadecimal, which a person confirms.'],
  confirmed: [5, z.boolean(), 'Whether a person has confirmed this digest, so that the harness may be launched.'],
});
export type HarnessLaunch = z.infer<typeof HarnessLaunch>;
