import type { Forges } from '#actors/registry/forge/forges.ts';
import { pullRequestsOf, type RowPullRequests } from '#actors/registry/forge/pull-request-resource.ts';
import { addressOf } from '#actors/registry/forge/repositories.ts';
import { type SweepScope, SweepWork } from '#actors/registry/forge/sweep-work.ts';
import { refreshRepositories } from '#actors/registry/forge/used-repositories.ts';
import { Waiters } from '#actors/registry/kernel/waiters.ts';
import { LeasedWorker } from '#actors/worker/leased-worker.ts';
import { WorkFigures } from '#actors/worker/work-figures.ts';
import type { Bus } from '#bus/bus.ts';
import type { PullRequestMatter } from '#contract/workflow.ts';
import type { StoredPullRequest } from '#store/forge/pull-request-entity.ts';
import type { StoredRepository } from '#store/forge/repository-entity.ts';
import type { MailTable } from '#store/mail/mail-table.ts';
import type { Store } from '#store/store.ts';
import {
  newAgent,
  type StoreFixture,
  saveHost,
  snapshotOf,
  storedWorkflow,
  storeFixture,
  worktreeOn,
} from '#test/store/store-fixture.ts';
import { noPeers } from '#test/support/no-peers.ts';
import { testIds } from '#test/support/test-clock.ts';
import { steadyTimer } from '#world/concurrency/timer.ts';
import { openLog } from '#world/log.ts';

/** An agent of a sweep's test. */
interface Pusher {
  readonly branch?: string;
  readonly repositoryUrl?: string;
  readonly alive?: boolean;
  readonly parentAgentId?: string;
  /** Whether a person has confirmed the repository for its workflow; unset: yes. */
  readonly confirmed?: boolean;
}

/** Sweepers on a real store, and the agents for which they sweep. Nothing happens until a test has it happen. */
export interface SweepStage {
  readonly fixture: StoreFixture;
  readonly scope: SweepScope;
  /** Adds an agent to the workflow, at work on a branch of the repository. */
  agent(id: string, pusher?: Pusher): Promise<void>;
  /** Has the repositories wanted that agents name, and sweeps what is due until nothing is. */
  round(): Promise<void>;
  /** As `round`, after the clock has moved on; in minutes. */
  later(minutes: number): Promise<void>;
  /** Another sweeper on the same store, or on its replacement. */
  sweeper(over?: SweepScope): Pick<LeasedWorker<never, never>, 'fill' | 'settled' | 'stop'>;
  repository(address?: string): Promise<StoredRepository>;
  rows(): Promise<readonly StoredPullRequest[]>;
  shown(agentId: string): Promise<RowPullRequests>;
  mailOf(agentId: string): Promise<Awaited<ReturnType<MailTable['waiting']>>>;
  facts(...kinds: string[]): Promise<{ kind: string; subjectId: string; detail: Record<string, unknown> }[]>;
  close(): Promise<void>;
}

async function confirm(store: Store, repositoryUrl: string): Promise<void> {
  await store.write(async ({ workflows }) => {
    const workflow = await workflows.find('wfl_1');
    if (workflow === undefined) throw new Error('the workflow is not there');
    await workflows.update({ ...workflow, repositories: [...new Set([...workflow.repositories, repositoryUrl])] });
  });
}

export const appAddress = 'https://forge.test/acme/app';

/** Puts a stage up; `matters` is what the workflow has its agents mailed. */
export async function sweepStage(forges: Forges, matters: readonly PullRequestMatter[] = []): Promise<SweepStage> {
  const fixture = await storeFixture();
  const { store, clock, folder } = fixture;
  const bus = { publish: () => undefined } as unknown as Bus;
  const log = openLog({ name: 'sweeps', level: 'silent', folder: folder.path });
  const scope: SweepScope = {
    store,
    bus,
    clock,
    ids: testIds(),
    waiters: new Waiters(clock, noPeers),
    completions: [],
    consequences: [],
    log,
    timer: steadyTimer(),
    work: new WorkFigures(),
    forges,
  };
  await saveHost(store);
  await store.write(({ workflows }) =>
    workflows.insert(storedWorkflow({ mailOnPullRequest: matters, createdAt: clock.now(), updatedAt: clock.now() })),
  );
  const sweeper = new LeasedWorker(new SweepWork(scope), scope);
  const round = async (): Promise<void> => {
    await refreshRepositories(scope);
    await sweeper.fill();
    await sweeper.settled();
    await refreshRepositories(scope);
  };
  return {
    fixture,
    scope,
    async agent(id, pusher = {}) {
      const { branch = id, repositoryUrl = appAddress, alive = true, parentAgentId, confirmed = true } = pusher;
      if (confirmed) await confirm(store, repositoryUrl);
      const checkout = { branch, repositoryUrl };
      const worktree = parentAgentId === undefined ? worktreeOn(branch) : undefined;
      const context = { name: id, checkout, worktree, ...(alive && { paneId: '%1' }) };
      const { decision } = newAgent(id);
      await store.write(({ journal }) =>
        journal.insert(
          newAgent(id, {
            parentAgentId,
            decision: { ...decision, snapshot: snapshotOf(alive ? { live: 'idle' } : 'dormant', context) },
          }),
        ),
      );
    },
    round,
    async later(minutes) {
      clock.pass(minutes * 60_000);
      await round();
    },
    sweeper: (over = scope) => new LeasedWorker(new SweepWork(over), over),
    async repository(address = appAddress) {
      const name = addressOf(address);
      const found = await store.read(({ repositories }) => repositories.named([name]));
      const repository = found.get(name);
      if (repository === undefined) throw new Error(`${address} is not known`);
      return repository;
    },
    rows: () => store.read(({ pullRequests }) => pullRequests.page({ limit: 10_000 })),
    shown: (agentId) =>
      store.read(async (tables) => {
        const agent = await tables.agents.find(agentId);
        if (agent === undefined) throw new Error(`${agentId} is not there`);
        return (await pullRequestsOf(tables, [agent]))(agent);
      }),
    mailOf: (agentId) => store.read(({ mail }) => mail.waiting(agentId, 100)),
    async facts(...kinds) {
      const all = await store.read(({ facts }) => facts.after(0n, 100_000));
      return all
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ kind, subjectId, detail }) => ({ kind, subjectId, detail: detail as Record<string, unknown> }));
    },
    async close() {
      await sweeper.stop();
      await fixture.close();
    },
  };
}
