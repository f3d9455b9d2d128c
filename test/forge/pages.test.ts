import { expect } from 'chai';
import { type ForgeKind, forgeKinds } from '#contract/forge/forge.ts';
import type { ForgeQuery } from '#world/forge/forge-client.ts';
import { giteaDouble } from './doubles/gitea.ts';
import { newestFirst, type Pull, pull } from './doubles/world.ts';
import { type ForgeFixture, forgeFixture, refusedAs } from './forge-fixture.ts';

const path = 'acme/app';
const finishedAt = '2026-03-01T10:00:00.000Z';

for (const kind of forgeKinds) {
  describe(`the pages of ${kind}`, () => {
    let fixture: ForgeFixture;
    beforeEach(async () => {
      fixture = await forgeFixture(kind);
    });
    afterEach(() => fixture.close());

    const holds = (pulls: readonly Pull[]) => fixture.world.repository(path, { pulls });
    const many = (count: number) => Array.from({ length: count }, (_, index) => pull(index + 1));

    /** The numbers of every page, read one after the other. */
    async function pagesOf(query: ForgeQuery): Promise<number[][]> {
      const pages: number[][] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await fixture.client.list(path, {
          plain: true,
          ...query,
          ...(cursor !== undefined && { cursor }),
        });
        pages.push(page.readings.map(({ number }) => number));
        if (page.nextCursor === undefined) return pages;
        cursor = page.nextCursor;
      }
    }
    const lengths = (pages: number[][]) => pages.map(({ length }) => length);

    it('contain 101 pull requests in six, each once, most recently updated first', async () => {
      const { pulls } = holds(many(101));
      const pages = await pagesOf({ state: 'open', pageSize: 20 });
      expect(lengths(pages)).deep.equal([20, 20, 20, 20, 20, 1]);
      expect(pages.flat()).deep.equal(newestFirst(pulls).map(({ number }) => number));
    });

    it('contain up to a hundred each', async () => {
      holds(many(101));
      expect(lengths(await pagesOf({ state: 'open', pageSize: 100 }))).deep.equal([100, 1]);
    });

    it('end if a full page was the last one', async () => {
      holds(many(40));
      expect(lengths(await pagesOf({ state: 'open', pageSize: 20 }))).deep.equal([20, 20]);
    });

    it('contain one each on request', async () => {
      holds(many(3));
      expect(await pagesOf({ state: 'open', pageSize: 1 })).deep.equal([[3], [2], [1]]);
    });

    it('may grow and shrink from one to the next', async () => {
      holds(many(101));
      const first = await fixture.client.list(path, { state: 'open', pageSize: 7, plain: true });
      const rest = await fixture.client.list(path, {
        state: 'open',
        pageSize: 100,
        plain: true,
        cursor: first.nextCursor ?? '',
      });
      expect([...first.readings, ...rest.readings].map(({ number }) => number)).deep.equal(
        Array.from({ length: 101 }, (_, index) => 101 - index),
      );
      expect(rest.nextCursor).equal(undefined);
    });

    it('are a single empty one for a repository without pull requests', async () => {
      holds([]);
      const { readings, repositoryUrl, nextCursor } = await fixture.client.list(path, { state: 'all', pageSize: 20 });
      expect({ readings, repositoryUrl, nextCursor }).deep.equal({
        readings: [],
        repositoryUrl: 'https://forge.test/acme/app',
        nextCursor: undefined,
      });
    });

    it('contain only open ones on request, and otherwise every state', async () => {
      holds([pull(1), pull(2, { state: 'CLOSED', finishedAt }), pull(3, { state: 'MERGED', finishedAt }), pull(4)]);
      expect(await pagesOf({ state: 'open', pageSize: 20 })).deep.equal([[4, 1]]);
      expect(await pagesOf({ state: 'all', pageSize: 20 })).deep.equal([[4, 3, 2, 1]]);
    });

    it('contain those of one branch in any state', async () => {
      const branch = 'fix/"quoted"-\\-ü';
      holds([
        pull(1, { branch, state: 'MERGED', finishedAt }),
        pull(2, { branch: `${branch}-2` }),
        pull(3, { branch, from: { fork: 'someone/app' } }),
        pull(4, { branch: 'fix' }),
      ]);
      expect(await pagesOf({ state: 'all', branch, pageSize: 20 })).deep.equal([[3, 1]]);
      expect(await pagesOf({ state: 'open', branch, pageSize: 20 })).deep.equal([[3]]);
      expect((await pagesOf({ state: 'all', branch: 'none', pageSize: 20 })).flat()).deep.equal([]);
    });

    it('find the many of one branch among others', async () => {
      holds(many(130).map((one) => (one.number % 2 === 0 ? { ...one, branch: 'even' } : one)));
      const found = (await pagesOf({ state: 'all', branch: 'even', pageSize: 20 })).flat();
      expect(found).deep.equal(Array.from({ length: 65 }, (_, index) => 130 - 2 * index));
    });

    it('refuse a cursor that the forge never returned', async () => {
      holds(many(3));
      for (const cursor of ['made up', '../../user', '0.0', '1.100', '-1.50', '9'.repeat(50)]) {
        await refusedAs('bad_cursor', fixture.client.list(path, { state: 'open', pageSize: 20, cursor }));
      }
    });

    it('need fewer requests without reviews and checks', async () => {
      holds([pull(1, { checks: [{ name: 'a', state: 'failed' }], asked: ['ann'] })]);
      const { readings } = await fixture.client.list(path, { state: 'open', pageSize: 20, plain: true });
      expect(readings[0]).deep.include({
        reviewDecision: 'REVIEW_DECISION_UNSPECIFIED',
        checks: 'CHECKS_UNSPECIFIED',
        mergeability: 'MERGEABILITY_UNSPECIFIED',
        failingChecks: [],
      });
      const plain = fixture.server.requests.length;
      await fixture.client.list(path, { state: 'open', pageSize: 20 });
      // Bitbucket needs requests for the full ids of both commits, which were made already.
      const extra = kind === 'bitbucket' ? 2 : 0;
      expect(fixture.server.requests.length - plain).above(plain - extra);
    });

    it('follow a renamed repository, and report its new address', async () => {
      fixture.world.repository('acme/new', { formerly: ['acme/old'], pulls: [pull(1)] });
      const { readings, repositoryUrl } = await fixture.client.list('acme/old', { state: 'open', pageSize: 20 });
      expect(repositoryUrl).equal('https://forge.test/acme/new');
      expect(readings.map((one) => one.repositoryUrl)).deep.equal(['https://forge.test/acme/new']);
    });

    it('report the parent of a fork', async () => {
      fixture.world.repository('someone/app', { parent: 'acme/app' });
      const { parent } = await fixture.client.list('someone/app', { state: 'open', pageSize: 20 });
      expect(parent).deep.equal({ host: 'forge.test', path: 'acme/app' });
    });

    it('get the same refusal for a missing and an unreadable repository', async () => {
      fixture.world.repository('acme/secret', { isSeen: false, pulls: [pull(1)] });
      const outcomes: object[] = [];
      for (const name of ['acme/secret', 'acme/absent']) {
        fixture.server.requests.length = 0;
        const error = await refusedAs('not_found', fixture.client.list(name, { state: 'open', pageSize: 20 }));
        const asked = fixture.server.requests.map(({ method, url }) =>
          `${method} ${url.pathname}`.replace(/acme.*/, ''),
        );
        outcomes.push({ message: error.message, asked });
      }
      expect(outcomes[0]).deep.equal(outcomes[1]);
      expect(JSON.stringify(outcomes)).not.contain('secret');
    });

    it('are refused for an impossible path', async () => {
      const paths: Readonly<Record<ForgeKind, string[]>> = {
        github: ['a/b/c'],
        gitea: ['a/b/c', '../user'],
        bitbucket: ['a/b/c', '../user'],
        gitlab: ['a/../b', 'a/b?x=1', 'a/%2e%2e'],
      };
      for (const name of paths[kind])
        await refusedAs('not_found', fixture.client.list(name, { state: 'open', pageSize: 1 }));
    });

    it('report the remaining quota, if the forge does', async () => {
      holds([]);
      const { quota } = await fixture.client.list(path, { state: 'open', pageSize: 1 });
      if (kind === 'github') expect(quota).deep.include({ limit: 5000, remaining: 4990 });
      else expect(quota).equal(undefined);
    });
  });

  describe(`other calls to ${kind}`, () => {
    let fixture: ForgeFixture;
    beforeEach(async () => {
      fixture = await forgeFixture(kind);
    });
    afterEach(() => fixture.close());

    it('return the current state of known pull requests, without deleted ones', async () => {
      const repository = fixture.world.repository(path, { pulls: [pull(1), pull(2), pull(3)] });
      const { readings } = await fixture.client.list(path, { state: 'open', pageSize: 20 });
      repository.pulls = [pull(1, { state: 'MERGED', finishedAt }), pull(2)];
      const again = await fixture.client.read(path, readings);
      const states = again.readings.map(({ number, state }) => [number, state] as const);
      expect(new Map(states)).deep.equal(
        new Map([
          [1, 'MERGED'],
          [2, 'OPEN'],
        ] as const),
      );
    });

    it('read fifty of them at once, and send nothing for none', async () => {
      const pulls = Array.from({ length: 50 }, (_, index) => pull(index + 1));
      fixture.world.repository(path, { pulls });
      const { readings } = await fixture.client.list(path, { state: 'open', pageSize: 100, plain: true });
      expect((await fixture.client.read(path, readings)).readings).length(50);
      expect((await fixture.client.read(path, [])).readings).deep.equal([]);
    });

    it('detect an update with one small request', async () => {
      const repository = fixture.world.repository(path, { pulls: [pull(1), pull(2)] });
      const first = await fixture.client.probe(path, undefined);
      expect(first.unchanged).equal(false);
      const before = { count: fixture.server.requests.length, bytes: fixture.server.bytesSent };
      const second = await fixture.client.probe(path, first.mark);
      expect(second).deep.include({ unchanged: true, mark: first.mark });
      expect(fixture.server.requests.length - before.count).equal(1);
      expect(fixture.server.bytesSent - before.bytes).below(2_000);
      repository.pulls = [pull(1), pull(2, { updatedAt: '2026-05-01T00:00:00.000Z' })];
      const third = await fixture.client.probe(path, second.mark);
      expect(third.unchanged).equal(false);
      repository.pulls = [pull(1), pull(2, { updatedAt: '2026-05-01T00:00:00.000Z', state: 'CLOSED', finishedAt })];
      expect((await fixture.client.probe(path, third.mark)).unchanged).equal(false);
    });

    it('return the credential’s account', async () => {
      expect((await fixture.client.check()).login).equal('robot');
    });
  });
}

describe('the pages of a Gitea', () => {
  const setups = [
    { what: 'set up smaller than asked for', maxOnPage: 20 },
    { what: 'set up smaller, behind a proxy that drops links', maxOnPage: 20, hidden: ['link'] },
    { what: 'set up smaller, and their count is not told', maxOnPage: 20, hidden: ['x-total-count'] },
    { what: 'told neither count nor links', hidden: ['link', 'x-total-count'] },
  ] as const;
  for (const { what, ...setup } of setups) {
    it(`are combined if its own are ${what}`, async () => {
      const fixture = await forgeFixture('gitea');
      try {
        fixture.server.double = giteaDouble(fixture.world, setup);
        fixture.world.repository(path, { pulls: Array.from({ length: 101 }, (_, index) => pull(index + 1)) });
        const numbers: number[] = [];
        for (let cursor: string | undefined; ; ) {
          const query = { state: 'open', pageSize: 30, plain: true } as const;
          const page = await fixture.client.list(path, { ...query, ...(cursor !== undefined && { cursor }) });
          numbers.push(...page.readings.map(({ number }) => number));
          if (page.nextCursor === undefined) break;
          cursor = page.nextCursor;
        }
        expect(numbers).deep.equal(Array.from({ length: 101 }, (_, index) => 101 - index));
      } finally {
        await fixture.close();
      }
    });
  }

  it('report a conflict only after ten seconds', async () => {
    const fixture = await forgeFixture('gitea');
    try {
      fixture.world.repository(path, { pulls: [pull(1, { merges: 'conflict' })] });
      const told = async () =>
        (await fixture.client.list(path, { state: 'open', pageSize: 1 })).readings.map(
          ({ mergeability }) => mergeability,
        );
      expect(await told()).deep.equal(['MERGEABILITY_UNKNOWN']);
      fixture.now += 9_999;
      expect(await told()).deep.equal(['MERGEABILITY_UNKNOWN']);
      fixture.now += 1;
      expect(await told()).deep.equal(['MERGEABILITY_CONFLICTING']);
    } finally {
      await fixture.close();
    }
  });
});
