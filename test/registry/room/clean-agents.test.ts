import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { RoomRequests } from '#actors/host/room/room-requests.ts';
import { dueIn } from '#actors/registry/room/archive-policy.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { CleanedAgent } from '#contract/agent/cleaned-agent.ts';
import { failureOf } from '#test/support/failure.ts';
import { besideStore, inSoak, isSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import { GitFixture } from '#test/world/git-fixture.ts';
import { addWorktree } from '#world/git/worktree/worktree.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('cleaning the archive', () => {
  let fixture: RegistryFixture;
  let git: GitFixture;
  let repository: string;
  let workflowId: string;
  before(async () => {
    fixture = await registryFixture();
    git = new GitFixture();
    repository = git.repository('r', { 'a.txt': 'one\n', '.gitignore': 'node_modules\n' });
    git.publish('r');
    const archivePolicy = { buildFolders: ['node_modules'], buildFoldersAfterDays: 2, worktreesAfterDays: 9 };
    workflowId = (await fixture.workflow({ name: 'clean', archivePolicy })).id;
    const recordOf = (agentId: string) => fixture.host.registry.load(agentId);
    fixture.host.room = new RoomRequests({ recordOf, worktrees: git.path('trees') });
  });
  after(async () => {
    await fixture.close();
    git.dispose();
  });

  const show = async (agentId: string) =>
    (await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId })).agent.agent;
  const clean = async (agentId: string, dryRun = false): Promise<CleanedAgent | undefined> =>
    (await fixture.call<{ agents: CleanedAgent[] }>('CleanAgents', { agentIds: [agentId], dryRun })).agents[0];
  const freed = (cleaned: CleanedAgent | undefined) =>
    cleaned?.freed?.map(({ path, worktree }) => ({ path, worktree }));
  const factsOf = async (subjectId: string) =>
    (await fixture.call<{ facts: { kind: string; detail: string }[] }>('ListFacts', { subjectId })).facts.filter(
      ({ kind }) => kind === 'agent.cleaned',
    );
  /** An archived agent with a worktree that has a build folder. */
  const archived = async (beforeArchive: (path: string, tree: string) => void = () => {}) => {
    const { id } = await fixture.create({ workflowId });
    const [path, branch] = [git.path(`trees/${id}`), `muster/${id}`];
    await addWorktree({ repository, path, branch, reason: `muster ${id}` });
    mkdirSync(join(path, 'node_modules/a'), { recursive: true });
    writeFileSync(join(path, 'node_modules/a/index.js'), 'x'.repeat(200_000));
    await fixture.host.bringUp(id, { repository: join(repository, '.git'), path, branch });
    beforeArchive(path, `trees/${id}`);
    await fixture.call('ArchiveAgent', { agentId: id });
    await fixture.host.tell(id, { type: 'PANE_CLOSED' });
    return { id, path, branch };
  };

  it('says in a dry run what it would free, then frees it, with a fact for each folder', async () => {
    const { id, path, branch } = await archived();
    const both = [
      { path: 'node_modules', worktree: false },
      { path, worktree: true },
    ];
    const would = await clean(id, true);
    expect(freed(would)).to.deep.equal(both);
    expect(would?.kept).to.deep.equal([]);
    expect(existsSync(join(path, 'node_modules'))).to.equal(true);
    expect(await factsOf(id)).to.deep.equal([]);
    const done = await clean(id);
    expect(freed(done)).to.deep.equal(both);
    expect(would?.freed, 'each byte once').to.deep.equal(done?.freed);
    expect(Number(done?.freed?.[0]?.bytes)).to.be.within(200_000, 400_000);
    expect(existsSync(path)).to.equal(false);
    expect(readdirSync(dirname(path))).to.deep.equal([]);
    expect(git.git('r', 'branch', '--list', branch)).to.include(branch);
    expect(await show(id)).to.include({ worktreeRemoved: true, diskBytes: '0' });
    expect((await factsOf(id)).map(({ detail }) => JSON.parse(detail))).to.have.length(2);
    expect(await clean(id)).to.equal(undefined);
    // It is made again where it was.
    await fixture.call('RestoreAgent', { agentId: id });
    const { effects } = await fixture.host.registry.load(id);
    expect(effects.map(({ kind }) => kind)).to.deep.equal(['provisionWorktree']);
  });

  besideStore('finishes a removal that was interrupted, and reports what that freed', async () => {
    const { id, path } = await archived();
    const aside = `${path}.muster-removed-${lstatSync(path).ino}-0123abcd`;
    renameSync(path, aside);
    const done = await clean(id);
    expect(freed(done)).to.deep.equal([{ path: aside, worktree: false }]);
    expect(existsSync(aside)).to.equal(false);
    expect(git.git('r', 'worktree', 'list')).not.to.include(id);
    expect(await factsOf(id)).to.have.length(1);
    expect(await show(id)).to.include({ diskBytes: '0' });
  });

  besideStore(
    'takes only build folders of work that would be lost, and says what speaks against the rest',
    async () => {
      const losses: readonly (readonly [what: RegExp, lose: (path: string, tree: string) => void])[] = [
        [/1 untracked file: new.txt/, (path) => writeFileSync(join(path, 'new.txt'), 'x')],
        [/1 changed file not committed: a.txt/, (path) => writeFileSync(join(path, 'a.txt'), 'changed')],
        [
          /1 commit on no remote/,
          (path, tree) => {
            git.git(tree, 'checkout', '-q', '--detach');
            writeFileSync(join(path, 'a.txt'), 'detached');
            git.commit(tree, 'second');
            git.git(tree, 'tag', 'mine');
          },
        ],
        [
          /1 stash made on its branch/,
          (path, tree) => {
            writeFileSync(join(path, 'a.txt'), 'stashed');
            git.git(tree, 'stash', '-q');
          },
        ],
      ];
      for (const [what, lose] of someOf(losses, 0, 2)) {
        const { id, path } = await archived(lose);
        const cleaned = await clean(id);
        expect(freed(cleaned), String(what)).to.deep.equal([{ path: 'node_modules', worktree: false }]);
        expect(cleaned?.kept?.join()).to.match(what);
        expect(existsSync(join(path, '.git'))).to.equal(true);
        expect(await show(id)).to.include({ worktreeRemoved: false });
      }
    },
  );

  besideStore('keeps a worktree whose build folder has a repository in it', async () => {
    const { id, path } = await archived((folder, tree) => {
      mkdirSync(join(folder, 'node_modules', 'lib'));
      git.git(join(tree, 'node_modules', 'lib'), 'init', '-q');
    });
    for (const isDry of [true, false]) {
      const cleaned = await clean(id, isDry);
      expect(freed(cleaned)).to.deep.equal([]);
      expect(cleaned?.kept?.join()).to.match(
        /node_modules: it has a repository in it.*build folder node_modules stays/,
      );
    }
    expect(existsSync(join(path, 'node_modules', 'lib', '.git'))).to.equal(true);
  });

  besideStore(
    'keeps a worktree for a commit that is only in a submodule, even one that is not checked out',
    async () => {
      git.repository('lib');
      const { id, path } = await archived((_path, tree) => {
        git.git(tree, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', git.path('lib'), 'lib');
        git.commit(tree, 'with lib');
        git.git(tree, 'push', '-q', 'origin', 'HEAD');
        git.write(`${tree}/lib/n.txt`, 'unpushed');
        git.commit(`${tree}/lib`, 'unpushed');
        git.git(tree, 'submodule', 'deinit', '-q', '-f', 'lib');
      });
      for (const dryRun of isSoak ? [true, false] : [false]) {
        const cleaned = await clean(id, dryRun);
        expect(freed(cleaned)).to.deep.equal([{ path: 'node_modules', worktree: false }]);
        expect(cleaned?.kept?.join()).to.include('submodules not checked out, with commits on no remote: lib');
      }
      git.git(`trees/${id}`, '-c', 'protocol.file.allow=always', 'submodule', 'update', '-q', '--init');
      expect((await clean(id))?.kept?.join()).to.include('submodules or repositories of their own: lib');
      expect(existsSync(join(path, '.git'))).to.equal(true);
    },
  );

  besideStore('touches nothing of agents that are not archived, or in whose worktree another works', async () => {
    const live = await fixture.create({ workflowId });
    await fixture.host.bringUp(live.id);
    expect(await clean(live.id)).to.equal(undefined);
    const { id, path } = await archived();
    fixture.host.directories.set(path, true);
    const guest = await fixture.create({ workflowId, dir: path, provisionEnabled: false, title: 'guest' });
    const cleaned = await clean(id);
    expect(cleaned?.kept?.join()).to.include(`guest (${guest.id}) works in it`);
    expect(existsSync(path)).to.equal(true);
    expect((await failureOf(() => clean('agt_none'))).code).to.equal('not_found');
  });

  inSoak('records nothing of a host that does not answer, and says so', async () => {
    const { id } = await archived();
    const { room } = fixture.host;
    fixture.host.room = undefined;
    await fixture.host.fallSilent();
    const cleaned = await clean(id);
    expect(cleaned?.freed).to.deep.equal([]);
    expect(cleaned?.kept?.join()).to.match(
      /does not answer.*what it deleted is not recorded: call again once it answers/,
    );
    expect(await factsOf(id)).to.deep.equal([]);
    fixture.host.room = room;
    await fixture.host.start();
    expect(freed(await clean(id))).to.have.length(2);
  });

  it('is due as the workflow says, counted from the day of the archive', async () => {
    const { id } = await archived();
    const cleaningAfter = async (days: number) =>
      (await dueIn(fixture, fixture.clock.now() + days * 86_400_000)).find((one) => one.id === id)?.cleaning;
    expect(await cleaningAfter(1.9)).to.equal(undefined);
    expect(await cleaningAfter(2)).to.equal('build-folders');
    expect(await cleaningAfter(9)).to.equal('worktree');
    const inOne = await dueIn(fixture, fixture.clock.now() + 10 * 86_400_000);
    const { id: next } = await archived();
    const inParts = await dueIn(fixture, fixture.clock.now() + 10 * 86_400_000, 1);
    expect(inParts.map((one) => one.id)).to.deep.equal([...inOne.map((one) => one.id), next]);
    for (const buildFolders of [['..'], ['.git'], ['/etc'], ['a/../b'], ['a//b'], ['node_*'], ['web/.GIT']]) {
      const refused = await failureOf(() =>
        fixture.call('UpdateWorkflow', { workflowId, archivePolicy: { buildFolders } }),
      );
      expect(refused.code, buildFolders.join()).to.equal('invalid_argument');
    }
  });
});
