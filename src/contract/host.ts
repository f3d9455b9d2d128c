import { z } from 'zod';
import { enumeration, message } from './message.ts';

/** Whether a host can be reached. */
export const HostState = enumeration('host.v1.HostState', [
  'HOST_STATE_UNSPECIFIED',
  'HOST_STATE_ONLINE',
  'HOST_STATE_LOST',
]);

/** One machine that agents are placed on. Timestamps are RFC 3339 in UTC. */
export const Host = message('host.v1.Host', {
  id: [1, z.string()],
  name: [2, z.string()],
  state: [3, HostState],
  /** When the host last answered. */
  seenAt: [4, z.string()],
  /** Agents placed on it that are not archived. */
  agents: [5, z.int32()],
  /** Harnesses whose CLI is on the host's PATH. */
  harnesses: [6, z.array(z.string())],
  /** Whether no new agents are placed on it. */
  draining: [7, z.boolean()],
});
export type Host = z.infer<typeof Host>;
