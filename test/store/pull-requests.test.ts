import { expect } from 'chai';
import { agentRowsOf } from '#actors/registry/roster/agent-rows.ts';
import { AgentTable } from '#store/agent/agent-table.ts';
import { ForgeConnectionTable } from '#store/forge/forge-connection-table.ts';
import type { StoredPullRequest } from '#store/forge/pull-request-entity.ts';
import { PullRequestTable } from '#store/forge/pull-request-table.ts';
import type { StoredRepository } from '#store/forge/repository-entity.ts';
import { RepositoryTable } from '#store/forge/repository-table.ts';
import { LogPositions } from '#store/kernel/log-positions.ts';
import { ProfileTable } from '#store/profile/profile-table.ts';
import { WorkflowTable } from '#store/workflow/workflow-table.ts';
import { timesOf } from '#test/support/soak.ts';
import { type AskedStatements, askedStatements } from './asked-statements.ts';
import {
  newAgent,
  type StoreFixture,
  saveHost,
  snapshotOf,
  storedWorkflow,
  storeFixture,
  worktreeOn,
} from './store-fixture.ts';

const agents = timesOf('MUSTER_TEST_STORED', 1_000, 10_000);
const repositories = 50;

const nameOf = (place: number) => `forge.test/acme/app-${place}`;
const addressOf = (place: number) => `https://${nameOf(place)}`;

function repository(place: number): Omit<StoredRepository, 'version'> {
  return {
    id: `rep_${place}`,
    address: nameOf(place),
    spelled: addressOf(place),
    url: addressOf(place),
    place: nameOf(place),
    sameAs: null,
    connection: 'fgc_1',
    snapshot: { value: 'resting', context: {} },
    state: 'resting',
    dueAt: place,
    sweptAt: 1,
    wholeAt: 1,
    mark: null,
    newestAt: null,
    branches: [],
    cost: 1,
    allowance: null,
    parent: null,
    warning: null,
    createdAt: 1,
  };
}

function pullRequest(place: number): StoredPullRequest {
  const url = addressOf(place % repositories);
  return {
    id: `pul_${String(place).padStart(6, '0')}`,
    repository: `rep_${place % repositories}`,
    forge: 'github',
    providerId: `PR_${place}`,
    url: `${url}/pull/${place}`,
    repositoryUrl: url,
    target: nameOf(place % repositories),
    headRepositoryUrl: url,
    own: true,
    number: place,
    title: `Change ${place}`,
    headBranch: `branch-${place}`,
    headSha: 'a',
    baseBranch: 'main',
    baseSha: 'b',
    draft: false,
    forgeState: 'OPEN',
    state: 'PULL_REQUEST_STATE_OPEN',
    reviewDecision: 'REVIEW_DECISION_NONE',
    checks: 'CHECKS_NONE',
    mergeability: 'MERGEABILITY_CLEAN',
    merge: { headSha: 'a', baseSha: 'b', mergeability: 'MERGEABILITY_CLEAN', at: 1, unsettled: false },
    inMergeQueue: false,
    failingChecks: [],
    openedAt: 1,
    changedAt: 1,
    mergedAt: null,
    closedAt: null,
    told: {},
    updatedAt: place,
  };
}

describe(`pull requests of ${agents} agents`, () => {
  let fixture: StoreFixture;
  let asked: AskedStatements;

  before(async () => {
    fixture = await storeFixture();
    await saveHost(fixture.store);
    await fixture.store.write(async (tables) => {
      const rows = Array.from({ length: repositories }, (_, place) => ({ row: repository(place) }));
      await tables.instances.begin('sweep', rows);
      const confirmed = Array.from({ length: repositories }, (_, place) => addressOf(place));
      await tables.workflows.insert(storedWorkflow({ id: 'wfl_1', repositories: confirmed }));
      await tables.pullRequests.insert(Array.from({ length: agents }, (_, place) => pullRequest(place)));
    });
    for (let made = 0; made < agents; ) {
      await fixture.store.write(async ({ journal }) => {
        do {
          const id = `agt_${String(made).padStart(6, '0')}`;
          const checkout = { branch: `branch-${made}`, repositoryUrl: addressOf(made % repositories) };
          const { decision } = newAgent(id);
          const worktree = worktreeOn(checkout.branch);
          const snapshot = snapshotOf({ live: 'idle' }, { name: id, checkout, worktree, paneId: '%1' });
          await journal.insert(newAgent(id, { decision: { ...decision, effects: [], deadlines: {}, snapshot } }));
          made += 1;
        } while (made % 250 !== 0);
      });
    }
    asked = await askedStatements(fixture.file);
  });
  after(async () => {
    await asked.orm.close();
    await fixture.close();
  });

  const tables = () => {
    const em = asked.orm.em.fork();
    return {
      agents: new AgentTable(em, new LogPositions(em)),
      workflows: new WorkflowTable(em),
      forgeConnections: new ForgeConnectionTable(em),
      repositories: new RepositoryTable(em),
      pullRequests: new PullRequestTable(em),
      profiles: new ProfileTable(em),
    };
  };
  /** What a piece of work asked of the database, each with how it is answered. */
  const planned = async (work: () => Promise<unknown>): Promise<string[]> =>
    (await asked.plansOf(work)).map((steps) => steps.join('; '));

  for (const limit of [1, 50, 200]) {
    it(`are read in three queries for ${limit} rows, at any size, each from an index`, async () => {
      const { agents: table, ...more } = tables();
      const page = await table.page({ standing: 'present', limit });
      let shown: readonly { readonly pullRequest?: { readonly number?: number | undefined } | undefined }[] = [];
      const plans = await planned(async () => {
        shown = await agentRowsOf({ agents: table, ...more }, page, { kind: 'person' });
      });
      expect(shown.map(({ pullRequest: one }) => one?.number)).to.deep.equal(page.map(({ id }) => Number(id.slice(4))));
      expect(plans, plans.join('\n')).to.have.length(3);
      for (const plan of plans) expect(plan).not.to.match(/SCAN (?!json_each)/);
      expect(plans[1]).to.match(/repository_address.*repository_by_place/);
      expect(plans[2]).to.match(/pull_request_by_branch/);
    });
  }

  it('are listed from an index, with any filter', async () => {
    const after = { updatedAt: 5_000, id: 'pul_005000' };
    const state = 'PULL_REQUEST_STATE_OPEN' as const;
    const ways = [
      [{}, 'pull_request_by_update'],
      [{ after }, 'pull_request_by_update'],
      [{ state, after }, 'pull_request_by_state'],
      [{ targets: [nameOf(1)], after }, 'pull_request_by_target'],
      [{ branch: { repository: 'rep_1', headBranch: 'branch-1' } }, 'pull_request_by_branch'],
    ] as const;
    for (const [which, index] of ways) {
      const plans = await planned(() => tables().pullRequests.page({ ...which, limit: 50 }));
      expect(plans, plans.join('\n')).to.have.length(1);
      expect(plans[0], JSON.stringify(which)).to.contain(index).and.not.to.contain('USE TEMP B-TREE FOR ORDER BY; ');
    }
  });

  it('are found from an index for every query of a sweep', async () => {
    const { repositories: known, pullRequests, agents: table } = tables();
    for (const [ask, index] of [
      [() => known.due(1, 4), 'repository_by_due'],
      [() => known.awake(), 'repository_by_due'],
      [() => known.ofConnection('fgc_1'), 'repository_by_connection'],
      [() => pullRequests.byProvider('rep_1', ['PR_1', 'PR_51']), 'pull_request_provider'],
      [() => pullRequests.openOf('rep_1'), 'pull_request_(by_branch|provider)'],
      [() => pullRequests.endedBefore(1, 500), 'pull_request_by_end'],
      [() => pullRequests.openBranches(['rep_1', 'rep_2']), 'INDEX pull_request_open'],
      [() => table.onBranches(['branch-1', 'branch-2']), 'agent_by_branch'],
      [() => table.branchesNamed(), 'COVERING INDEX agent_by_repository'],
    ] as const) {
      const [plan] = await planned(ask);
      expect(plan).to.match(new RegExp(index));
    }
  });

  it('yield the agents’ branches quickly', async () => {
    const { agents: table } = tables();
    const before = performance.now();
    expect(await table.branchesNamed()).to.have.length(agents);
    // A hundredth of it on a machine at rest; the bound only reports a reading of every row from one of the index.
    expect(performance.now() - before).to.be.lessThan(agents / 2);
  });
});
