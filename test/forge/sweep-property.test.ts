import { expect } from 'chai';
import fc from 'fast-check';
import type { ForgeKind, ForgeReading } from '#contract/forge/forge.ts';
import { timesOf } from '#test/support/soak.ts';
import type { ForgeClient } from '#world/forge/forge-client.ts';
import { openForge } from '#world/forge/open-forge.ts';
import { transportTo } from './doubles/double.ts';
import { ForgeWorld, type Pull, pull, type Repository, sha } from './doubles/world.ts';
import { doubles } from './forge-fixture.ts';
import { type SweepStage, sweepStage } from './sweep-stage.ts';

/** Something that happens at the forge, or a sweep. */
type Step =
  | { readonly kind: 'open'; readonly branch: number }
  | { readonly kind: 'end'; readonly which: number; readonly merged: boolean }
  | { readonly kind: 'push'; readonly which: number }
  | { readonly kind: 'check'; readonly which: number; readonly failed: boolean }
  | { readonly kind: 'retitle'; readonly which: number }
  | { readonly kind: 'rename' }
  | { readonly kind: 'sweep'; readonly seed: number };

/** How many stories of a forge are tried. */
const numRuns = timesOf('MUSTER_TEST_SWEEPS', 3, 60);
const branches = 4;
const which = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('open' as const), branch: fc.nat(2 * branches) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), which, merged: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('push' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('check' as const), which, failed: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retitle' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('sweep' as const), seed: fc.nat() }) },
);

/** A forge whose pages come in any order, and hold again what earlier pages held, also as it was before. */
function unruly(client: ForgeClient, random: () => number): ForgeClient {
  const earlier: ForgeReading[] = [];
  return {
    kind: client.kind,
    host: client.host,
    async list(...given) {
      const page = await client.list(...given);
      const [, { state, branch }] = given;
      const fitting = earlier.filter((one) => state === 'all' && (branch === undefined || one.headBranch === branch));
      const again = fitting.filter(() => random() < 0.2);
      earlier.push(...page.readings);
      const readings = [...page.readings, ...again]
        .map((one) => ({ one, place: random() }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ one }) => one);
      return { ...page, readings };
    },
    read: (...given) => client.read(...given),
    probe: (...given) => client.probe(...given),
    check: (...given) => client.check(...given),
  };
}

/** An event at the forge, at a time. It changes the update time, except for checks. */
function happen(world: ForgeWorld, app: Repository, one: Step, at: string): void {
  const change = (index: number, over: (before: Pull) => Partial<Pull>, isOpen = true): void => {
    const found = app.pulls.filter(({ state }) => !isOpen || state === 'OPEN');
    const before = found[index % Math.max(1, found.length)];
    if (before === undefined) return;
    app.pulls = app.pulls.map((other) => (other === before ? { ...before, ...over(before) } : other));
  };
  switch (one.kind) {
    case 'open': {
      const number = app.pulls.length + 1;
      const over = { branch: `branch-${one.branch}`, headSha: sha(`head ${number}`), createdAt: at, updatedAt: at };
      app.pulls = [...app.pulls, pull(number, over)];
      return;
    }
    case 'end':
      change(one.which, () => ({ state: one.merged ? 'MERGED' : 'CLOSED', updatedAt: at, finishedAt: at }));
      return;
    case 'push':
      change(one.which, ({ headSha }) => ({ headSha: sha(headSha), updatedAt: at, checks: [] }));
      return;
    case 'check':
      change(one.which, () => ({ checks: [{ name: 'build', state: one.failed ? 'failed' : 'passed' }] }));
      return;
    case 'retitle':
      change(one.which, ({ title }) => ({ title: `${title}!`, updatedAt: at }), false);
      return;
    case 'rename': {
      const index = world.repositories.indexOf(app);
      const path = `acme/app-${app.formerly.length + 1}`;
      world.repositories[index] = Object.assign(app, { path, formerly: [...app.formerly, app.path] });
    }
  }
}

/** What is stored of each pull request, and what the forge has. */
async function compare(stage: SweepStage, app: Repository): Promise<void> {
  const rows = new Map((await stage.rows()).map((row) => [row.number, row]));
  expect(rows.size, 'each is there once').to.equal((await stage.rows()).length);
  for (const one of app.pulls) {
    const row = rows.get(one.number);
    const isWatched = Number(one.branch.slice(7)) < branches;
    // Of what was opened and ended again nothing needs to be known if no agent is on its branch.
    if (row === undefined && one.state !== 'OPEN' && !isWatched) continue;
    expect(row, `#${one.number} is stored`).not.to.equal(undefined);
    const { title, branch: headBranch, headSha, state: forgeState } = one;
    expect(row, `#${one.number}`).to.include({ title, headBranch, headSha, forgeState });
    if (!isWatched || one.state !== 'OPEN') continue;
    const failed = one.checks.some(({ state }) => state === 'failed');
    const checks = one.checks.length === 0 ? 'CHECKS_NONE' : failed ? 'CHECKS_FAILING' : 'CHECKS_PASSING';
    expect(row?.checks, `checks of #${one.number}`).to.equal(checks);
  }
}

describe('sweeps of a changing forge', function () {
  this.timeout(60_000 + numRuns * 5_000);

  for (const kind of ['github', 'gitlab', 'gitea', 'bitbucket'] as const satisfies readonly ForgeKind[]) {
    it(`end equal to ${kind}, in any order of pages, after renames and with duplicates`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), fc.nat(), async (steps, seed) => {
          let drawn = seed + 1;
          const random = () => {
            drawn = (drawn * 48_271) % 2_147_483_647;
            return drawn / 2_147_483_647;
          };
          const world = new ForgeWorld();
          const app = world.repository('acme/app');
          const client = openForge({
            kind,
            host: 'forge.test',
            root: 'https://forge.test',
            credential: async () => world.token,
            now: () => stage.fixture.clock.now(),
            transport: transportTo(doubles[kind](world)),
          });
          const forge = { connectionId: 'fgc_1', client: unruly(client, random), pathOf: (path: string) => path };
          const stage = await sweepStage({ forHost: async () => forge });
          try {
            for (let place = 0; place < branches; place += 1) await stage.agent(`branch-${place}`);
            for (const one of steps) {
              stage.fixture.clock.pass(1_000);
              if (one.kind === 'sweep') await stage.later(2);
              else happen(world, app, one, new Date(stage.fixture.clock.now()).toISOString());
            }
            // Without further events, one sweep after the next half hour is enough.
            await stage.later(31);
            await stage.later(31);
            await compare(stage, app);
          } finally {
            await stage.close();
          }
        }),
        { numRuns },
      );
    });
  }
});
