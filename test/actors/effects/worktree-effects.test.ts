import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { inspectWorktree } from '#actors/host/effects/inspect-worktree.ts';
import { provisionWorktree } from '#actors/host/effects/provision-worktree.ts';
import { removeWorktree } from '#actors/host/effects/remove-worktree.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import type { Worktree } from '#machines/agent/worktree.ts';
import { performanceOf } from '#test/actors/performance-of.ts';
import { agentContext } from '#test/support/agent-context.ts';
import { failureOf } from '#test/support/failure.ts';
import { gitIn } from '#test/support/git-in.ts';
import { inSoak } from '#test/support/soak.ts';
import { inTurn } from '#test/support/some-of.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

describe('the worktree of an agent', () => {
  let folder: TemporaryFolder;
  let repository: string;
  let cwd: string;
  let worktrees: string;
  beforeEach(() => {
    folder = temporaryFolder('worktree-effects');
    repository = join(folder.path, 'repository');
    worktrees = join(folder.path, 'worktrees');
    cwd = repository;
    launch = { copyFiles: ['.env'] };
    mkdirSync(repository);
    const git = (...args: string[]) => gitIn(repository, ...args);
    git('init', '-q', '-b', 'main');
    writeFileSync(join(repository, '.gitignore'), '.env\n');
    writeFileSync(join(repository, '.env'), 'KEY=1\n');
    git('add', '.gitignore');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  });
  afterEach(() => {
    force = false;
    folder.remove();
  });

  let force = false;
  let launch: Partial<AgentRecord['launch']> = {};
  const recordOf = (worktree?: Worktree) =>
    ({
      id: 'agt_01JD6Z8Q4V5N7W2K3M9R0TXYAB',
      launch: { cwd, ...launch },
      snapshot: { value: 'live', context: agentContext({ firstName: 'a', worktree }) },
    }) as unknown as AgentRecord;
  const perform = (make: typeof inspectWorktree, worktree?: Worktree): Promise<AgentEvent | undefined> => {
    const effect = { key: 'k', kind: 'k', params: { force } };
    return make(worktrees).perform(performanceOf(recordOf(worktree), effect));
  };

  async function provisioned(): Promise<Worktree> {
    const ready = await perform(provisionWorktree);
    if (ready?.type !== 'WORKTREE_READY') throw new Error('no worktree was made');
    return ready.worktree;
  }

  it('is removed with copied files that are unchanged', async () => {
    const worktree = await provisioned();
    expect(worktree.copied).to.deep.equal(['.env']);
    expect(await perform(inspectWorktree, worktree)).to.deep.equal({ type: 'WORKTREE_INSPECTED' });
    expect(await perform(removeWorktree, worktree)).to.deep.equal({ type: 'WORKTREE_REMOVED' });
    expect(existsSync(worktree.path)).to.equal(false);
  });

  inTurn('is removed with its agent’s review snapshots, and with no others', async () => {
    const worktree = await provisioned();
    const git = (...args: string[]) => gitIn(repository, ...args);
    const { id } = recordOf();
    for (const name of [`${id}/1`, `${id}/2`, `${id}x/1`]) git('update-ref', `refs/muster/rounds/${name}`, 'main');
    expect(await perform(removeWorktree, worktree)).to.deep.equal({ type: 'WORKTREE_REMOVED' });
    const left = git('for-each-ref', '--format=%(refname)', 'refs/muster');
    expect(left).to.equal(`refs/muster/rounds/${id}x/1`);
    // Made again it finds none.
    expect(await perform(removeWorktree, worktree)).to.deep.equal({ type: 'WORKTREE_REMOVED' });
  });

  inTurn('stays if a copied file was changed, because that is the agent’s work', async () => {
    const worktree = await provisioned();
    appendFileSync(join(worktree.path, '.env'), 'NEW=2\n');
    for (const make of [inspectWorktree, removeWorktree]) {
      const failure = await failureOf(() => perform(make, worktree));
      expect(failure.code).to.equal('failed_precondition');
      expect(failure.message).to.contain('.env');
    }
    expect(existsSync(join(worktree.path, '.env'))).to.equal(true);
  });

  it('contains the directory’s changes and ignored files, which are not work while unchanged', async () => {
    launch = { copyFiles: [], withChanges: true };
    mkdirSync(join(repository, 'settings'));
    for (const name of ['settings/.env', 'notes.txt']) writeFileSync(join(repository, name), name);
    const worktree = await provisioned();
    for (const name of ['.env', 'settings/.env', 'notes.txt'])
      expect(existsSync(join(worktree.path, name)), name).to.equal(true);
    rmSync(join(worktree.path, 'notes.txt'));
    expect(await perform(inspectWorktree, worktree)).to.deep.equal({ type: 'WORKTREE_INSPECTED' });
    appendFileSync(join(worktree.path, 'settings/.env'), 'more');
    expect((await failureOf(() => perform(inspectWorktree, worktree))).message).to.contain('settings/.env');
  });

  inSoak(
    'is kept by force also where the folder that it was made from is gone, for its repository is not',
    async () => {
      const git = (...args: string[]) => gitIn(repository, ...args);
      cwd = join(folder.path, 'other');
      git('worktree', 'add', '-q', cwd);
      const worktree = await provisioned();
      writeFileSync(join(worktree.path, 'new.txt'), 'work');
      git('worktree', 'remove', cwd);
      expect((await failureOf(() => perform(inspectWorktree, worktree))).message).to.contain('new.txt');
      force = true;
      const kept = `refs/muster/kept/${recordOf().id}`;
      expect(await perform(removeWorktree, worktree)).to.deep.equal({ type: 'WORKTREE_REMOVED', kept });
      expect(git('show', `${kept}:new.txt`)).to.equal('work');
    },
  );

  inTurn('is removed with copied files after a launch that was cancelled before it was recorded', async () => {
    const { path } = await provisioned();
    expect(existsSync(join(path, '.env'))).to.equal(true);
    expect(await perform(inspectWorktree)).to.deep.equal({ type: 'WORKTREE_INSPECTED' });
    expect(await perform(removeWorktree)).to.deep.equal({ type: 'WORKTREE_REMOVED' });
    expect(existsSync(path)).to.equal(false);
  });

  it('is removed if its checkout is incomplete, because it contains no work', async () => {
    const { path, branch } = await provisioned();
    rmSync(join(path, '.gitignore'));
    const [admin = ''] = readdirSync(join(repository, '.git/worktrees'));
    rmSync(join(repository, '.git/worktrees', admin, 'index'));
    expect(await perform(inspectWorktree)).to.deep.equal({ type: 'WORKTREE_INSPECTED' });
    expect(await perform(removeWorktree)).to.deep.equal({ type: 'WORKTREE_REMOVED' });
    expect(existsSync(path)).to.equal(false);
    expect(gitIn(repository, 'branch', '--list', branch)).to.equal('');
  });

  inSoak('goes where only a note of it had been begun', async () => {
    const { path } = await provisioned();
    const [admin = ''] = readdirSync(join(repository, '.git/worktrees'));
    for (const file of ['index', 'gitdir']) rmSync(join(repository, '.git/worktrees', admin, file));
    rmSync(path, { recursive: true });
    mkdirSync(path);
    expect(await perform(inspectWorktree)).to.deep.equal({ type: 'WORKTREE_INSPECTED' });
    expect(await perform(removeWorktree)).to.deep.equal({ type: 'WORKTREE_REMOVED' });
    expect(existsSync(path)).to.equal(false);
    expect(readdirSync(join(repository, '.git/worktrees'))).to.deep.equal([]);
  });

  inSoak('stays where it was never noted and somebody has worked in it all the same', async () => {
    const { path } = await provisioned();
    writeFileSync(join(path, 'found.txt'), 'work');
    expect((await failureOf(() => perform(inspectWorktree))).message).to.contain('found.txt');
    expect((await failureOf(() => perform(removeWorktree))).message).to.contain('found.txt');
    expect(existsSync(path)).to.equal(true);
  });

  inSoak('is made from a bare repository too, and removed again', async () => {
    const bare = join(folder.path, 'bare.git');
    gitIn(repository, 'clone', '-q', '--bare', repository, bare);
    cwd = bare;
    const worktree = await provisioned();
    expect(worktree).to.deep.include({ repository: bare, copied: [] });
    expect(existsSync(join(worktree.path, '.gitignore'))).to.equal(true);
    expect(gitIn(worktree.path, 'status', '--porcelain')).to.equal('');
    expect(await perform(inspectWorktree, worktree)).to.deep.equal({ type: 'WORKTREE_INSPECTED' });
    expect(await perform(removeWorktree, worktree)).to.deep.equal({ type: 'WORKTREE_REMOVED' });
    expect(existsSync(worktree.path)).to.equal(false);
  });
});
