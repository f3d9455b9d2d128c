import { noticeOfFact, whyOfFact } from '#contract/notice-of-fact.ts';
import type { NoticeKind, Notify } from '#contract/notify.ts';
import type { StoredAgent } from '#store/agent-entity.ts';
import type { StoredFact } from '#store/fact-entity.ts';
import type { NewNotice } from '#store/notice-table.ts';
import { timeOf } from './agent-resource.ts';

/** What is told of an agent, as webhooks get it. `text` says it in one sentence, as chat services show it. */
export interface Notice {
  readonly event: 'waiting' | 'failed' | 'finished' | 'test';
  readonly text: string;
  readonly at: string;
  /** The fact's place in the log. */
  readonly seq: string;
  readonly agent: Readonly<Record<string, string | undefined>>;
}

const told: Readonly<Record<string, { event: Notice['event']; says: string }>> = {
  'agent.waits': { event: 'waiting', says: 'waits for you' },
  'agent.failed': { event: 'failed', says: 'failed' },
  'agent.run-failed': { event: 'failed', says: 'had a script that failed' },
  'agent.finished': { event: 'finished', says: 'has finished' },
};

/** What a fact tells of an agent; undefined where nobody wants to know. */
export function noticeOf({ kind, at, seq, detail }: StoredFact, agent: StoredAgent): Notice | undefined {
  const how = told[kind];
  if (how === undefined) return undefined;
  const why = whyOfFact(detail);
  return {
    event: how.event,
    text: `${agent.name} ${how.says}${why && `: ${why}`}`,
    at: timeOf(at),
    seq: String(seq),
    agent: {
      id: agent.id,
      name: agent.name,
      state: agent.state,
      stateReason: agent.stateReason,
      waitingFor: agent.waitingFor === '' ? undefined : agent.waitingFor,
      workflowId: agent.workflowId,
      hostId: agent.host,
      cwd: agent.cwd,
      branch: agent.branch ?? undefined,
    },
  };
}

/** What is sent of a notice to those who want to be told of its kind, each address and command once. */
export function parcelsOf(notice: Notice, kind: string, agentId: string, wanting: readonly Notify[]): NewNotice[] {
  const body = JSON.stringify(notice);
  const targets = new Map<string, NewNotice>();
  for (const { webhook, command } of wanting.filter((one) => wants(one, noticeOfFact[kind]))) {
    if (webhook) targets.set(`webhook ${webhook}`, { agent: agentId, through: 'webhook', target: webhook, body });
    if (command) targets.set(`command ${command}`, { agent: agentId, through: 'command', target: command, body });
  }
  return [...targets.values()];
}

function wants({ on = [] }: Notify, kind: NoticeKind | undefined): boolean {
  return kind !== undefined && (on.length === 0 || on.includes(kind));
}
