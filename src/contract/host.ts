import { z } from 'zod';
import { enumeration, int64, message } from './message.ts';

/** Whether a host can be reached. */
export const HostState = enumeration('host.v1.HostState', [
  'HOST_STATE_UNSPECIFIED',
  'HOST_STATE_ONLINE',
  'HOST_STATE_LOST',
]);

/**
 * How loaded a host's machine was when it last told. What its system does not tell is unset: a count or a total of 0 says that
 * the values beside it are not known either, and used memory of 0 that it is not known by itself.
 */
export const HostLoad = message('host.v1.HostLoad', {
  /** When it was told, by the registry's clock. */
  measuredAt: [1, z.string()],
  /** Programs that ran or waited to run, on average over the last minute, on all processors together. */
  loadAverage1m: [2, z.number()],
  /** Processors of the machine. */
  cpuCount: [3, z.int32()],
  /** Memory in bytes that cannot be given to a program that asks for it. */
  memoryUsedBytes: [4, int64()],
  memoryTotalBytes: [5, int64()],
  /** Free bytes of the file system that worktrees stand on, for the user that muster runs as. */
  diskFreeBytes: [6, int64()],
  diskTotalBytes: [7, int64()],
});
export type HostLoad = z.infer<typeof HostLoad>;

/** A machine that comes with the id and key of a host that another one is, as a copied disk or state folder does. */
export const HostRival = message('host.v1.HostRival', {
  /** What it calls itself. */
  machine: [1, z.string()],
  /** Its state folder. */
  folder: [2, z.string()],
  /** When it last came and was refused. */
  seenAt: [3, z.string()],
});

/** One machine that agents are placed on. Timestamps are RFC 3339 in UTC. */
export const Host = message('host.v1.Host', {
  id: [1, z.string()],
  name: [2, z.string()],
  state: [3, HostState],
  /** When the host last answered. */
  seenAt: [4, z.string()],
  /** Agents placed on it that are not archived. */
  agents: [5, z.int32()],
  /** Harnesses whose CLI is on the host's PATH, and of which a person has confirmed what the host's files launch. */
  harnesses: [6, z.array(z.string())],
  /** Whether no new agents are placed on it. */
  draining: [7, z.boolean()],
  /** What it last told; a lost host's too. */
  load: [8, HostLoad],
  /** The system and the kind of processor, such as `linux x64`. */
  system: [9, z.string()],
  musterVersion: [10, z.string()],
  /** When muster was started there, by the host's clock. */
  startedAt: [11, z.string()],
  /** Where agents on it are told to reach muster. */
  gatewayUrl: [16, z.string()],
  /** What is wrong with that address, as the host tried it; unset where muster answers there. */
  gatewayFault: [17, z.string()],
  /**
   * Terminals that run there and that the database does not know, as where a copy of it was put back, by the id of the agent that they
   * were opened for. They are left alone: run_doctor says how to see and end them. Of a host that is on line.
   */
  foundTerminals: [12, z.array(z.string())],
  /**
   * Whether it came beside others and no person has taken it in: agents are placed on it only where it is named, and no workflow
   * that names no host is made from what it says.
   */
  newcomer: [13, z.boolean()],
  /** Who else came with its id and key in the last 30 s, and was refused; run_doctor says what to do. */
  rival: [14, HostRival],
});
export type Host = z.infer<typeof Host>;

/** What a file of rules on a host has a harness launch. It counts once a person has confirmed its digest. */
export const HarnessLaunch = message('host.v1.HarnessLaunch', {
  harness: [1, z.string()],
  /** The file, on the host. */
  path: [2, z.string()],
  /** JSON: the file's `launch`, and `like` of a harness that is not built in. */
  launch: [3, z.string()],
  /** The SHA-256 of `launch`, in hexadecimal digits. */
  digest: [4, z.string()],
  confirmed: [5, z.boolean()],
});
export type HarnessLaunch = z.infer<typeof HarnessLaunch>;
