import type { Tools } from './tools.ts';

interface Fact {
  readonly seq: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly at: string;
  readonly detail: string;
}

interface News {
  readonly facts?: readonly Fact[];
  readonly cursor?: string;
}

/** What was counted during a demonstration. */
export interface Counts {
  mails: number;
  rings: number;
}

/** Prints what happens to the agents of a workflow, line by line, until its lead has finished. */
export class Chronicle {
  readonly counts: Counts = { mails: 0, rings: 0 };
  readonly #tools: Tools;
  readonly #workflowId: string;
  readonly #names = new Map<string, string | undefined>();
  #cursor = '';

  constructor(tools: Tools, workflowId: string) {
    this.#tools = tools;
    this.#workflowId = workflowId;
  }

  /** Takes up the log where it ends now. */
  async begin(): Promise<void> {
    this.#cursor = (await this.#tools.call<News>('watch_facts', { timeoutSeconds: 1 })).cursor ?? '';
  }

  /** Prints until the lead rests after its turn. @throws Error when it does not within this many milliseconds */
  async until(leadId: string, withinMs: number, print: (line: string) => void): Promise<void> {
    const deadline = Date.now() + withinMs;
    while (Date.now() < deadline) {
      const news = await this.#tools.call<News>('watch_facts', { cursor: this.#cursor, timeoutSeconds: 5 });
      this.#cursor = news.cursor ?? this.#cursor;
      for (const fact of news.facts ?? []) {
        const line = await this.#line(fact);
        if (line !== undefined) print(`${new Date(fact.at).toTimeString().slice(0, 8)}  ${line}`);
        if (fact.kind === 'agent.finished' && fact.subjectId === leadId) return;
      }
    }
    throw new Error('the lead has not finished: see muster ls and muster read lead');
  }

  async #line({ kind, subjectId, detail }: Fact): Promise<string | undefined> {
    const name = await this.#nameOf(subjectId);
    if (name === undefined) return undefined;
    const said = JSON.parse(detail) as Record<string, string>;
    switch (kind) {
      case 'agent.created':
        return `${name} is launched`;
      case 'agent.state-moved':
        return `${name}: ${shortState(said['from'])} → ${shortState(said['to'])}`;
      case 'mail.sent':
        this.counts.mails += 1;
        return `mail from ${(await this.#nameOf(said['from'] ?? '')) ?? 'someone'} to ${name}`;
      case 'doorbell.rung':
        this.counts.rings += 1;
        return `${name} is rung`;
      case 'mail.taken':
        return `${name} takes its mail`;
      case 'agent.archived':
        return `${name} is archived`;
      default:
        return undefined;
    }
  }

  /** The name of an agent of the workflow; undefined for any other one. */
  async #nameOf(id: string): Promise<string | undefined> {
    if (!id.startsWith('agt_')) return undefined;
    if (!this.#names.has(id)) {
      const found = await this.#tools
        .call<{ agent: { agent: { name: string; workflowId: string } } }>('get_agent', { agentId: id })
        .catch(() => undefined);
      const agent = found?.agent.agent;
      this.#names.set(id, agent?.workflowId === this.#workflowId ? agent.name : undefined);
    }
    return this.#names.get(id);
  }
}

function shortState(state = ''): string {
  return state.replace('AGENT_STATE_', '');
}
