import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Host } from '#contract/host/host.ts';
import type { Mail } from '#contract/mail.ts';
import type { Review } from '#contract/review/review.ts';
import type { ReviewThread } from '#contract/review/review-thread.ts';
import { moment } from '#test/support/moment.ts';
import { DrillCaller } from './caller.ts';
import type { DrillFleet } from './fleet.ts';

const agentService = 'agent.v1.AgentService';
const scheduleService = 'schedule.v1.ScheduleService';

/** An agent that calls by its own token. */
interface Speaker {
  readonly agentId: string;
  readonly token: string;
}

/** A mail as its sender knows it. */
export interface SentMail {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/** Everything that the service acknowledged. */
export interface Acknowledged {
  /** Agents by their key and their id. */
  readonly agents: Map<string, string>;
  readonly mails: SentMail[];
  /** Taken mail, in order. */
  readonly taken: SentMail[];
  readonly takenIds: string[];
  /** Comments of released reviews, by the review. */
  readonly reviews: Map<string, readonly string[]>;
  /** Schedules, each with when it began, in milliseconds since 1970. */
  readonly schedules: Map<string, number>;
}

/** How hard a drill works a fleet, in milliseconds between two calls of a kind. */
const every = { create: 1_500, mail: 200, review: 500, read: 50 } as const;
const talkers = 4;
const scheduleCount = 3;

/** Makes agents, sends and takes mail, releases reviews and lets schedules fire, until it is stopped. */
export class DrillLoad {
  readonly caller: DrillCaller;
  readonly done: Acknowledged = {
    agents: new Map(),
    mails: [],
    taken: [],
    takenIds: [],
    reviews: new Map(),
    schedules: new Map(),
  };
  readonly #fleet: DrillFleet;
  readonly #token: string;
  #hostIds: readonly string[] = [];
  #workflowId = '';
  #work = '';
  #talkers: readonly Speaker[] = [];
  #implementer: Speaker | undefined;
  #reviewer: Speaker | undefined;
  #isSending = true;
  #isTaking = true;
  #sent: Promise<unknown> = Promise.resolve();
  #running: Promise<unknown> = Promise.resolve();

  constructor(fleet: DrillFleet) {
    this.#fleet = fleet;
    this.#token = fleet.token;
    this.caller = new DrillCaller(fleet.urls);
  }

  /** Where an agent leaves a mark each time its prompt is run. */
  markOf(key: string): string {
    return join(this.#fleet.homeOf('host-1'), `${key}.ran`);
  }

  /** Calls an operation as the person. */
  call<T>(method: string, request: object): Promise<T> {
    return this.caller.call<T>(this.#token, method, request);
  }

  /** The agent whose work is reviewed, as a caller. */
  asImplementer<T>(method: string, request: object): Promise<T> {
    return this.#as(this.#implementer, method, request);
  }

  /** Admits the hosts, and makes the workflow, the schedules and the agents that speak. */
  async prepare(): Promise<void> {
    const hosts = await moment('all hosts are known', async () => {
      const { hosts: known } = await this.call<{ hosts: Host[] }>('host.v1.HostService/ListHosts', {});
      return known.length === 4 ? known : undefined;
    });
    this.#hostIds = hosts.map(({ id = '' }) => id);
    for (const hostId of this.#hostIds) await this.call('host.v1.HostService/DrainHost', { hostId, undo: true });
    this.#workflowId = await this.#workflow('drill', this.#fleet.repository);
    const makes = Array.from({ length: scheduleCount }, (_, at) => this.#schedule(`schedule-${at}`));
    this.#talkers = await Promise.all(Array.from({ length: talkers }, (_, at) => this.#speaker(`talker-${at}`, at)));
    this.#work = this.#fleet.makeRepository('work');
    const workflowId = await this.#workflow('reviewed', this.#work);
    this.#implementer = await this.#speaker('implementer', 0, { workflowId });
    const parentAgentId = this.#implementer.agentId;
    this.#reviewer = await this.#speaker('reviewer', 0, { workflowId, role: 'AGENT_ROLE_REVIEWER', parentAgentId });
    await Promise.all(makes);
  }

  start(): void {
    this.#sent = Promise.all([this.#create(), this.#review(), ...this.#talkers.map((talker) => this.#send(talker))]);
    this.#running = Promise.all([this.#read(), ...this.#talkers.map((talker) => this.#take(talker))]);
  }

  /** Ends it once all calls in progress are answered, and all mail is taken. */
  async stop(): Promise<void> {
    this.#isSending = false;
    await this.#sent;
    await moment('all mail is taken', () => this.done.taken.length >= this.done.mails.length).catch(() => undefined);
    this.#isTaking = false;
    await this.#running;
  }

  async #create(): Promise<void> {
    for (let count = 0; this.#isSending; count += 1) {
      await this.#launch(`made-${count}`, count);
      await pause(every.create);
    }
  }

  async #send(talker: Speaker): Promise<void> {
    for (let count = 0; this.#isSending; count += 1) {
      const to = this.#talkers[(this.#talkers.indexOf(talker) + 1 + (count % (talkers - 1))) % talkers] ?? talker;
      const mail: SentMail = { from: talker.agentId, to: to.agentId, count };
      const request = { agentId: mail.to, body: JSON.stringify(mail), idempotencyKey: `mail-${count}` };
      await this.#as(talker, `${agentService}/SendMail`, request);
      this.done.mails.push(mail);
      await pause(every.mail);
    }
  }

  async #take(talker: Speaker): Promise<void> {
    for (let claim = 0; this.#isTaking; claim += 1) {
      const request = { claimId: `claim-${claim}`, limit: 20, view: 'VIEW_FULL' };
      const { mail = [] } = await this.#as<{ mail?: Mail[] }>(talker, `${agentService}/TakeMail`, request);
      for (const { id = '', body = '' } of mail) {
        this.done.takenIds.push(id);
        this.done.taken.push(JSON.parse(body) as SentMail);
      }
      if (mail.length === 0) await pause(every.mail);
    }
  }

  async #review(): Promise<void> {
    const { agentId } = this.#implementer ?? { agentId: '' };
    for (let count = 1; this.#isSending; count += 1) {
      appendFileSync(join(this.#work, 'work.txt'), `line ${count}\n`);
      await this.#as(this.#reviewer, `${agentService}/StartReviewRound`, { agentId });
      const bodies = [1, 2].map((part) => `review ${count}, part ${part}`);
      let reviewId = '';
      for (const body of bodies) reviewId = (await this.#comment(agentId, count, body)).reviewId ?? '';
      const release = { agentId, reviewId, verdict: 'REVIEW_VERDICT_COMMENTED' };
      await this.#as<{ review: Review }>(this.#reviewer, `${agentService}/ReleaseReview`, release);
      this.done.reviews.set(reviewId, bodies);
      await pause(every.review);
    }
  }

  /** Writes a comment. It has no key: before it is written again, its author looks whether it is there. */
  async #comment(agentId: string, line: number, body: string): Promise<ReviewThread> {
    for (;;) {
      const request = { agentId, filePath: 'work.txt', newStart: line + 1, newEnd: line + 1, body };
      const method = `${agentService}/CreateReviewThread`;
      const made = await this.caller
        .call<{ thread: ReviewThread }>(this.#reviewer?.token ?? '', method, request, false)
        .catch(() => undefined);
      if (made !== undefined) return made.thread;
      const listing = { agentId, pagination: { pageSize: 20 } };
      const { threads = [] } = await this.#as<{ threads?: ReviewThread[] }>(
        this.#reviewer,
        `${agentService}/ListReviewThreads`,
        listing,
      );
      const known = threads.find(({ messages = [] }) => messages.some((message) => message.body === body));
      if (known !== undefined) return known;
    }
  }

  async #read(): Promise<void> {
    while (this.#isTaking) {
      await this.call<{ agents?: AgentRow[] }>(`${agentService}/ListAgents`, { pagination: { pageSize: 50 } });
      await pause(every.read);
    }
  }

  async #workflow(name: string, cwd: string): Promise<string> {
    const { workflow } = await this.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
      name,
      cwd,
      harness: 'shell',
      provisionEnabled: false,
    });
    return workflow.id;
  }

  async #schedule(name: string): Promise<void> {
    const { schedule } = await this.call<{ schedule: { id: string } }>(`${scheduleService}/CreateSchedule`, {
      name,
      cron: '* * * * *',
      timezone: 'UTC',
      prompt: 'true',
      workflowId: this.#workflowId,
      missed: 'MISSED_POLICY_RUN_ALL',
    });
    this.done.schedules.set(schedule.id, Date.now());
  }

  async #launch(key: string, place: number, more: object = {}): Promise<string> {
    const { agent } = await this.call<{ agent: { id: string } }>(`${agentService}/CreateAgent`, {
      prompt: `echo ran >> ${this.markOf(key)}`,
      title: key,
      workflowId: this.#workflowId,
      host: this.#hostIds[place % this.#hostIds.length],
      idempotencyKey: key,
      ...more,
    });
    this.done.agents.set(key, agent.id);
    return agent.id;
  }

  async #speaker(key: string, place: number, more: object = {}): Promise<Speaker> {
    const { parentAgentId } = more as { parentAgentId?: string };
    const agentId = await this.#launch(key, place, parentAgentId === undefined ? more : { ...more, host: undefined });
    const { token } = await this.call<{ token: string }>(`${agentService}/IssueAgentToken`, { agentId });
    await moment(`${key} is idle`, async () => {
      const { agent: row } = await this.call<{ agent: AgentRow }>(`${agentService}/GetAgent`, { agentId });
      return row.agent?.state === 'AGENT_STATE_IDLE';
    });
    return { agentId, token };
  }

  #as<T>(speaker: Speaker | undefined, method: string, request: object): Promise<T> {
    return this.caller.call<T>(speaker?.token ?? '', method, request);
  }
}
