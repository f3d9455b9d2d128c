import { defineEntity, p } from '@mikro-orm/sql';
import type { Caller } from '#contract/access/caller.ts';
import type { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import { agentAsKey } from '#store/agent/agent-as-key.ts';
import type { Row } from '#store/kernel/row.ts';

/**
 * A launch whose agent waits for a host: what was requested, and by whom. Kept until the agent is placed or deleted.
 */
export const QueuedLaunchEntity = defineEntity({
  name: 'QueuedLaunch',
  tableName: 'queued_launch',
  properties: {
    agent: agentAsKey,
    /** Since when it waits, in milliseconds since 1970: the longest wait is first. */
    queuedAt: p.bigint('number').name('queued_at'),
    request: p.json<CreateAgentRequest>(),
    caller: p.json<Caller>(),
  },
});
export type StoredQueuedLaunch = Row<typeof QueuedLaunchEntity>;
