import { z } from 'zod';
import { enumeration, int64, message } from '#contract/message.ts';

/** Whether a host can be reached. */
export const HostState = enumeration('host.v1.HostState', {
  HOST_STATE_UNSPECIFIED: 'No state; never sent.',
  HOST_STATE_ONLINE: 'It answers.',
  HOST_STATE_LOST: 'It has not answered for too long. Its agents stay as they were last seen.',
});

/**
 * How loaded a host's machine was at its last report. What its system does not report is unset: a count or a total of 0
 * says that the values beside it are not known either, and used memory of 0 that it is not known on its own.
 */
export const HostLoad = message('host.v1.HostLoad', {
  measuredAt: [1, z.string(), 'When the registry received these values: RFC 3339, UTC.'],
  loadAverage1m: [
    2,
    z.number(),
    'Programs that ran or waited to run, averaged over the last minute, on all processors together.',
  ],
  cpuCount: [3, z.int32(), 'Processors of the machine. 0: neither this nor the load average is known.'],
  memoryUsedBytes: [4, int64(), 'Memory in bytes that no other program can have. 0: not known.'],
  memoryTotalBytes: [5, int64(), 'Memory of the machine, in bytes. 0: not known.'],
  diskFreeBytes: [6, int64(), 'Free bytes of the file system that holds worktrees, for the user that muster runs as.'],
  diskTotalBytes: [7, int64(), 'Size in bytes of that file system. 0: neither this nor the free space is known.'],
});
export type HostLoad = z.infer<typeof HostLoad>;

/** A machine that comes with the id and key of a host that another one is, as a copied disk or state folder does. */
export const HostRival = message('host.v1.HostRival', {
  machine: [1, z.string(), 'What the other machine calls itself.'],
  folder: [2, z.string(), 'Its state folder, an absolute path.'],
  seenAt: [3, z.string(), 'When it last tried to connect and was refused: RFC 3339, UTC.'],
});

/** How far the rules of a host follow a CLI, which changes its looks with its versions. */
export const RecordedHarness = message('host.v1.RecordedHarness', {
  harness: [1, z.string(), 'Name of the harness.'],
  recordedWith: [
    2,
    z.string(),
    'Newest version of its CLI whose screens the host’s rules were recorded with. A newer CLI is read more strictly.',
  ],
});
export type RecordedHarness = z.infer<typeof RecordedHarness>;

/** One machine that agents are placed on. Timestamps are RFC 3339 in UTC. */
export const Host = message('host.v1.Host', {
  id: [1, z.string(), 'Names the host in other calls: `hst_` and a ULID.'],
  name: [2, z.string(), 'What people call it. Accepted wherever an id is.'],
  state: [3, HostState, 'Whether it can be reached.'],
  seenAt: [4, z.string(), 'When it last answered: RFC 3339, UTC.'],
  agents: [5, z.int32(), 'How many agents are placed on it that are not archived.'],
  harnesses: [
    6,
    z.array(z.string()),
    'Harnesses it can launch: their CLI is on its PATH, and a person confirmed what its own files launch.',
  ],
  draining: [7, z.boolean(), 'Whether no new agents are placed on it.'],
  load: [8, HostLoad, 'How busy it was when it last reported, even if it is lost by now.'],
  system: [9, z.string(), 'Operating system and kind of processor, such as `linux x64`.'],
  musterVersion: [10, z.string(), 'Which version of muster runs there.'],
  startedAt: [11, z.string(), 'When muster was started there, by the host’s own clock: RFC 3339, UTC.'],
  gatewayUrl: [16, z.string(), 'Address at which agents on it reach muster. Unset for a newcomer.'],
  gatewayFault: [
    17,
    z.string(),
    'What is wrong with that address, as the host tried it. Unset if muster answers there.',
  ],
  foundTerminals: [
    12,
    z.array(z.string()),
    'Ids of agents whose terminals run there though the database has no such agents, of a newcomer at most 20. They are left alone; run_doctor says how to end them.',
  ],
  newcomer: [
    13,
    z.boolean(),
    'Whether it joined other hosts and no person has accepted it yet: agents go there only if it is named.',
  ],
  rival: [
    14,
    HostRival,
    'Another machine that used its id and key in the last 30 seconds and was refused. Unset without one.',
  ],
  recordedHarnesses: [
    18,
    z.array(RecordedHarness),
    'For each CLI that it can launch, what its rules were recorded with. Those without such a version are left out.',
  ],
});
export type Host = z.infer<typeof Host>;

/** What a file of rules on a host has a harness launch. It counts once a person has confirmed its digest. */
export const HarnessLaunch = message('host.v1.HarnessLaunch', {
  harness: [1, z.string(), 'Name of the harness that the file defines or changes.'],
  path: [2, z.string(), 'The file, on the host.'],
  launch: [
    3,
    z.string(),
    'What the file launches, as JSON: its `launch`, and `like` of a harness that is not built in.',
  ],
  digest: [4, z.string(), 'SHA-256 of `launch`, in hexadecimal. It is what a person confirms.'],
  confirmed: [5, z.boolean(), 'Whether a person has confirmed this digest, so that it may be launched.'],
});
export type HarnessLaunch = z.infer<typeof HarnessLaunch>;
