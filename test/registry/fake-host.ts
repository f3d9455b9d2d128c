import { posix } from 'node:path';
import type { z } from 'zod';
import { type RegistryClient, registryClient } from '#actors/host/agent/registry-journal.ts';
import type { RoomRequests } from '#actors/host/room/room-requests.ts';
import { advance } from '#actors/loop.ts';
import type { Bus, RunningService } from '#bus/bus.ts';
import { type HostLine, openHostLine } from '#bus/host-line/host-line.ts';
import { type KeyPair, makeKeyPair } from '#bus/seal/key-pair.ts';
import { hostHintSubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import type { Check } from '#contract/host/check.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { HostCondition } from '#contract/wire/host-condition.ts';
import type { LeftBehind } from '#contract/wire/left-behind.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { HostTrial } from '#contract/wire/trial-calls.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import type { Worktree } from '#machines/agent/worktree.ts';
import { refusalWith } from '#test/support/failure.ts';
import { FakeReviews } from './review/fake-reviews.ts';

/**
 * A host that a test plays: it answers the registry's questions, hears its bell, and reports results when reported to.
 */
export class FakeHost {
  readonly id: string;
  name: string;
  readonly registry: RegistryClient;
  readonly line: HostLine;
  readonly #bus: Bus;
  #served: RunningService | undefined;
  /** How often its bell rang. */
  bells = 0;
  /** Directories that are there, and whether each is in a git repository. */
  readonly directories = new Map<string, boolean>([
    ['/repo', true],
    ['/elsewhere', true],
    ['/plain', false],
  ]);
  /** Web addresses of the repositories that the remotes of a directory name. */
  readonly remotes = new Map<string, readonly string[]>();
  /** Where links lead, and which repositories directories are in that are not those of their first folder. */
  readonly links = new Map<string, string>();
  readonly repositories = new Map<string, string>();
  stateFolder = '/state';
  harnesses = ['claude', 'codex', 'shell'];
  /** What a worktree lacks of any directory of its. */
  leftBehind: z.input<typeof LeftBehind> | undefined;
  /** The trials of setup scripts that were requested. */
  readonly trials: z.output<typeof hostCalls.startTrial.request>[] = [];
  /** Those of its own that it says a coding agent is behind. */
  codingHarnesses: readonly string[] = [];
  /** Which window it says that every agent is in. */
  windowId = '@7';
  /** What it reports its machine; a host of before reports nothing. */
  condition: HostCondition | undefined;
  /** What it finds of its machine, and what its clock says. */
  checks: readonly Check[] = [];
  now: () => number = Date.now;
  /** What was asked to be typed, in order: the verb and the request. */
  readonly typed: [verb: string, request: unknown][] = [];
  /** What everything that is asked to be typed is refused with. */
  refusal: Failure | undefined;
  /** Promises to await before a permit is requested, and before it reports that something was typed. */
  beforePermit: Promise<unknown> = Promise.resolve();
  afterTyping: Promise<unknown> = Promise.resolve();
  /** What every pane shows; undefined if no agent has one. */
  pane: z.input<typeof hostCalls.look.response> | undefined;
  /** What the screen of every pane asks, as rules see it; undefined if it asks nothing. */
  asks: z.input<typeof hostCalls.question.response> | undefined;
  /** What its files of rules have launched: the digest of each harness's. */
  readonly launches = new Map<string, string>();
  /** The last confirmations that it received. */
  confirmed: Readonly<Record<string, string>> = {};
  /** How long it is to wait until its next beat, in milliseconds, by the last answer. */
  nextMs = 0;
  /** What it answers of reviews. */
  readonly reviews = new FakeReviews();
  /** Masks the secrets that it knows. */
  redacted = (text: string): string => text;
  /** Why agents cannot run in a sandbox there; undefined if they can. */
  sandboxFault: string | undefined;
  /** What the last sandbox was tried with. */
  triedSandbox: unknown;
  /** Measures and cleans its worktrees. */
  room: Pick<RoomRequests, 'measure' | 'clean'> | undefined;
  /** Waited for before it answers what it finds of its machine. */
  examining: () => Promise<unknown> = async () => undefined;
  /** How often it was asked about a directory. */
  directoriesAsked = 0;
  /** Waited for before a directory is checked. */
  pause: Promise<unknown> = Promise.resolve();

  constructor(bus: Bus, id: string, key: KeyPair = makeKeyPair()) {
    this.#bus = bus;
    this.id = id;
    this.name = `${id}.example`;
    // The registry's clock is stopped until a test advances it, so nothing is late for this host.
    this.line = openHostLine(bus, id, key, { monotonic: () => 0 });
    this.registry = registryClient(this.line);
  }

  /** Serves, hears, and beats once. */
  async start(): Promise<void> {
    this.#bus.subscribe(hostHintSubject(this.id), () => {
      this.bells += 1;
    });
    const handlers: [verb: string, handle: (body: unknown) => unknown][] = [
      ['directory', (body) => this.#directory(body)],
      ['logs', () => ({ records: ['{"level":"info","msg":"ready"}'], processes: ['host'] })],
      ['directories', (body) => this.#listDirectories(body)],
      [
        'try-sandbox',
        async (body) => {
          this.triedSandbox = body;
          return this.sandboxFault === undefined ? {} : { fault: this.sandboxFault };
        },
      ],
      ['attach', (body) => ({ family: String((body as { agentId: string }).agentId), windowId: this.windowId })],
      ['examine', () => this.#examine()],
      ['left-behind', async () => ({ leftBehind: this.leftBehind })],
      ['look', () => this.#observe()],
      ['start-trial', async (body) => this.#startTrial(body)],
      ...['read-trial', 'stop-trial'].map((verb): [string, (body: unknown) => unknown] => [
        verb,
        async (body) => this.#trial(body),
      ]),
      ['launches', (body) => this.#launches(body)],
      ['redact', async (body) => ({ text: this.redacted(parseRequest(hostCalls.redact.request, body).text) })],
      [
        'measure-room',
        async (body) => this.room?.measure(parseRequest(hostCalls.measureRoom.request, body)) ?? { worktrees: [] },
      ],
      ['clean-agent', async (body) => this.room?.clean(parseRequest(hostCalls.cleanAgent.request, body))],
      ['question', () => this.#asked()],
      ['watch', (body) => this.#watch(body)],
      ...['prompt', 'interrupt', 'answer', 'type'].map((verb): [string, (body: unknown) => unknown] => [
        verb,
        (body) => this.#type(verb, body),
      ]),
      ...this.reviews.verbs.map((verb): [string, (body: unknown) => unknown] => [
        verb,
        (body) => this.reviews.answer(verb, body, () => this.#permitted(body)),
      ]),
    ];
    const endpoints = handlers.map(([verb, handle]) => ({ verb, handle }));
    this.#served = await this.line.serve({ name: 'fake-host', version: '1.0.0' }, endpoints);
    await this.beat();
  }

  async beat(): Promise<void> {
    const { id, name, harnesses, condition } = this;
    const codingHarnesses = [...this.codingHarnesses];
    const said = { hostId: id, name, harnesses, codingHarnesses, ...(condition && { condition }) };
    const { confirmed, nextMs = 0 } = await this.registry.beat(said);
    this.confirmed = confirmed;
    this.nextMs = nextMs;
  }

  #startTrial(body: unknown): HostTrial {
    this.trials.push(body as z.output<typeof hostCalls.startTrial.request>);
    return this.#trial(body);
  }

  #trial(body: unknown): HostTrial {
    const { trialId } = body as { trialId: string };
    if (!this.trials.some((one) => one.trialId === trialId)) throw new Failure('TRIAL_NOT_FOUND', 'no such trial');
    const running = { state: 'RUN_STATE_RUNNING', startedAt: 0, directory: '/trial', reason: '' } as const;
    return { ...running, output: 'ok\n', outputTruncated: false, cursor: '3' };
  }

  async #examine(): Promise<z.input<typeof hostCalls.examine.response>> {
    await this.examining();
    return { checks: [...this.checks], now: this.now() };
  }

  async #launches(body: unknown): Promise<z.input<typeof hostCalls.launches.response>> {
    await this.beat();
    const { harness: wanted } = body as { harness?: string };
    const told = [...this.launches].filter(([harness]) => wanted === undefined || harness === wanted);
    return {
      launches: told.map(([harness, digest]) => ({
        harness,
        path: `/rules/${harness}.json`,
        launch: '{}',
        digest,
        confirmed: this.confirmed[harness] === digest,
      })),
    };
  }

  /** Stops answering, like a host that is gone. */
  async fallSilent(): Promise<void> {
    await this.#served?.stop();
  }

  /** Sends an event to an agent's machine and ends all effects that it waited for. */
  tell(agentId: string, event: AgentEvent): Promise<AgentRecord> {
    return this.#heard(async () => {
      const record = await this.registry.load(agentId);
      const done = record.effects.map(({ key }) => key);
      return (await advance(this.registry, record, event, done)).record;
    });
  }

  /** Asks; a second time after a beat, as a real host does, where time has passed without one. */
  async #heard<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Failure) || !error.isFor('HOST_LOST')) throw error;
      await this.beat();
      return ask();
    }
  }

  /** Brings an agent that is being set up to rest in its own pane. */
  async bringUp(agentId: string, made?: Partial<Worktree>): Promise<AgentRecord> {
    const { launch } = await this.#heard(() => this.registry.load(agentId));
    if (launch.provision) {
      const worktree = {
        repository: '/repo/.git',
        path: `/trees/${agentId}`,
        branch: `muster/${agentId}`,
        baseSha: 'abc',
        copied: [],
        ...made,
      };
      await this.tell(agentId, { type: 'WORKTREE_READY', worktree });
      if (launch.scripts.setup) await this.tell(agentId, { type: 'SETUP_DONE' });
    }
    await this.tell(agentId, { type: 'WINDOW_OPENED', paneId: '%1', sessionId: launch.sessionId });
    return this.tell(agentId, { type: 'BRIEFED', reading: { state: 'AGENT_STATE_THINKING', reason: '' } });
  }

  /** Asks for the permit of what takes one. */
  async #permitted(body: unknown): Promise<void> {
    const { ticket } = body as { readonly ticket?: string };
    if (ticket === undefined) return;
    await this.beforePermit;
    await this.registry.permit(ticket);
  }

  async #type(verb: string, body: unknown): Promise<object> {
    const { ticket: _, ...request } = body as { readonly ticket: string };
    await this.#permitted(body);
    if (this.refusal) throw this.refusal;
    this.typed.push([verb, request]);
    await this.afterTyping;
    return {};
  }

  #asked(): object {
    if (this.asks !== undefined) return this.asks;
    throw refusalWith('failed_precondition', 'agent has no window: restore it first');
  }

  #observe(): object {
    if (this.pane !== undefined) return this.pane;
    throw refusalWith('failed_precondition', 'agent has no window: restore it first');
  }

  #watch(body: unknown): object {
    const seen = this.#observe() as { screenDigest: string };
    const { cursor } = body as { cursor: string };
    return { cursor: seen.screenDigest, ...(seen.screenDigest !== cursor && { seen }) };
  }

  #listDirectories(body: unknown): z.input<typeof hostCalls.directories.response> {
    const { path: beginning } = body as { path: string };
    const found = [...this.directories].filter(([path]) => path.startsWith(beginning));
    return { directories: found.map(([path, repository]) => ({ path, repository })), more: false };
  }

  async #directory(body: unknown): Promise<object> {
    this.directoriesAsked += 1;
    await this.pause;
    const { path: asked } = body as { path: string };
    const named = posix.normalize(asked.replace(/^~/, '/home/me'));
    const path = this.links.get(named) ?? named;
    const isRepository = this.directories.get(path) ?? false;
    const [, root = ''] = path.split('/');
    return {
      path,
      isDirectory: this.directories.has(path),
      isRepository,
      repositories: this.remotes.get(path) ?? [],
      ...(isRepository && { repository: this.repositories.get(path) ?? `/${root}/.git` }),
      stateFolder: this.stateFolder,
    };
  }
}
