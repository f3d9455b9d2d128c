import { expect } from 'chai';
import type { ForgeKind } from '#contract/forge/forge.ts';
import { openForge } from '#world/forge/open-forge.ts';
import { transportTo } from './doubles/double.ts';
import { ForgeWorld, pull } from './doubles/world.ts';
import { doubles } from './forge-fixture.ts';
import { type SweepStage, sweepStage } from './sweep-stage.ts';

const kinds: readonly ForgeKind[] = ['github', 'gitlab', 'gitea', 'bitbucket'];

describe('sweeps of a fork', () => {
  let stage: SweepStage;
  afterEach(() => stage.close());

  for (const kind of kinds) {
    it(`find the pull requests of its branches in the parent repository, on ${kind}, and follow them`, async () => {
      const world = new ForgeWorld();
      const upstream = world.repository('acme/app', {
        pulls: [
          pull(7, { branch: 'one', from: { fork: 'ann/app' } }),
          pull(8, { branch: 'one' }),
          pull(9, { branch: 'one', from: { fork: 'bob/app' } }),
        ],
      });
      world.repository('ann/app', { parent: 'acme/app' });
      world.repository('bob/app', { parent: 'acme/app' });
      const client = openForge({
        kind,
        host: 'forge.test',
        root: 'https://forge.test',
        credential: async () => world.token,
        now: () => stage.fixture.clock.now(),
        transport: transportTo(doubles[kind](world)),
      });
      stage = await sweepStage({
        forHost: async () => ({ connectionId: 'fgc_1', client, pathOf: (path) => path }),
      });
      await stage.agent('one', { repositoryUrl: 'https://forge.test/ann/app' });
      await stage.round();
      const { pullRequests } = await stage.shown('one');
      expect(pullRequests?.map(({ number }) => number)).to.deep.equal([7]);
      expect(pullRequests?.[0]).to.deep.include({
        repositoryUrl: 'https://forge.test/acme/app',
        headRepositoryUrl: 'https://forge.test/ann/app',
        state: 'PULL_REQUEST_STATE_OPEN',
      });
      const at = new Date(stage.fixture.clock.now()).toISOString();
      upstream.pulls = upstream.pulls.map((one) => ({ ...one, state: 'MERGED', updatedAt: at, finishedAt: at }));
      await stage.later(2);
      expect((await stage.shown('one')).pullRequest?.state).to.equal('PULL_REQUEST_STATE_MERGED');
    });
  }
});
