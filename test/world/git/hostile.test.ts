import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { readCheckout } from '#world/git/checkout/checkout.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { withoutNamedHooks } from '#world/git/repository/repository.ts';
import { addWorktree } from '#world/git/worktree/worktree.ts';
import { inspectWorktree } from '#world/git/worktree/worktree-inspection.ts';
import { removeWorktree } from '#world/git/worktree/worktree-removal.ts';
import { GitFixture } from '../git-fixture.ts';
import { Traps } from './traps.ts';

describe('git in a hostile repository', () => {
  let fixture: GitFixture;
  let traps: Traps;
  beforeEach(() => {
    fixture = new GitFixture();
    traps = new Traps(fixture);
    fixture.repository('r', {
      'a.txt': 'one\n',
      'b.bin': 'two\n',
      '.gitattributes': '* filter=evil diff=evil merge=evil\n',
    });
    fixture.repository('lib', { 'l.txt': 'lib\n', '.gitattributes': '* filter=evil\n' });
    fixture.git('r', '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', fixture.path('lib'), 'lib');
    fixture.commit('r', 'with lib');
  });
  afterEach(() => fixture.dispose());

  const plant = (gitDir: string, mark: string): void => traps.plant(gitDir, mark);
  const ran = (): string => traps.ran();

  it('is really hostile: plain git runs the planted programs', () => {
    plant('r/.git', 'main');
    fixture.write('r/a.txt', 'changed\n');
    try {
      fixture.git('r', 'status');
      fixture.git('r', 'add', 'a.txt');
    } catch {
      // A trap need not work to be sprung.
    }
    expect(ran()).to.contain('fsmonitor').and.to.contain('clean').and.to.contain('hook');
  });

  it('disables each hook in the configuration, with any name', async () => {
    const names = ['lint', 'Team.Guard', 'a=b', 'with "quotes" and blanks', 'täglich', 'reference-transaction'];
    for (const name of names) {
      fixture.git('r', 'config', `hook.${name}.event`, 'reference-transaction');
      fixture.git('r', 'config', `hook.${name}.command`, 'true');
    }
    fixture.write('included', '[hook "included"]\n\tevent = post-checkout\n[hook]\n\tjobs = 2\n');
    fixture.git('r', 'config', 'include.path', fixture.path('included'));
    const at = await findGitDirectory(fixture.path('r'));
    if (at === undefined) throw new Error('there is no repository');
    const env = { ...process.env, ...(await withoutNamedHooks(at)) };
    const isEnabled = (name: string) =>
      execFileSync('git', ['config', '--type=bool', `hook.${name}.enabled`], { cwd: fixture.path('r'), env });
    for (const name of [...names, 'included', 'post-checkout']) {
      expect(isEnabled(name).toString().trim(), name).to.equal('false');
    }
  });

  it('runs nothing while it reads, creates, inspects and removes', async () => {
    plant('r/.git', 'main');
    plant('r/.git/modules/lib', 'lib');
    const order = {
      repository: fixture.path('r'),
      path: fixture.path('w/one'),
      branch: 'muster/one-1',
      reason: 'muster 1',
    };
    await readCheckout(order.repository);
    const made = await addWorktree(order);
    expect(readFileSync(fixture.path('w/one/a.txt'), 'utf8')).to.equal('one\n');
    await addWorktree(order);
    expect(ran()).to.equal('');

    // What an agent could leave behind: a submodule with traps of its own, an embedded repository, more attributes
    // and edits.
    rmSync(fixture.path('w/one/lib'), { recursive: true });
    symlinkSync(fixture.path('r/lib'), fixture.path('w/one/linked'));
    fixture.git('w', 'clone', '-q', '--no-checkout', fixture.path('lib'), 'one/lib');
    fixture.git('w/one/lib', '-c', 'core.hooksPath=/dev/null', 'read-tree', '-u', '--reset', 'HEAD');
    fixture.repository('w/one/nested', { 'n.txt': 'n\n', '.gitattributes': '* filter=evil\n' });
    plant('w/one/lib/.git', 'inner');
    plant('w/one/nested/.git', 'nested');
    fixture.write('w/one/lib/l.txt', 'changed in lib\n');
    fixture.write('w/one/nested/n.txt', 'changed in nested\n');
    fixture.write('w/one/a.txt', 'changed\n');
    fixture.write('w/one/new.bin', 'new\n');
    const index = readFileSync(fixture.path('r/.git/worktrees/one/index'));
    traps.forget();

    await readCheckout(order.path);
    const found = await inspectWorktree({ ...order, base: 'main' });
    expect(found.state === 'present' && found.facts.changed).to.deep.equal(['a.txt']);
    expect(found.state === 'present' && found.facts.repositories).to.deep.equal(['lib', 'nested']);
    expect(readFileSync(fixture.path('r/.git/worktrees/one/index')).equals(index)).to.equal(true);
    expect((await removeWorktree({ ...order, agentId: 'agt_1', force: false })).removed).to.equal(false);
    const forced = await removeWorktree({ ...order, agentId: 'agt_1', force: true });
    expect(forced).to.deep.equal({ removed: true, branchDeleted: true });
    expect(ran()).to.equal('');

    rmSync(fixture.path('r/.git/config'));
    writeFileSync(fixture.path('r/.git/config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
    fixture.git('.', '--git-dir=r/.git', 'config', 'core.hooksPath', '/dev/null');
    const kept = (path: string): string =>
      fixture.git('.', '--git-dir=r/.git', 'cat-file', 'blob', `refs/muster/kept/agt_1:${path}`);
    expect(kept('a.txt')).to.equal('changed');
    expect(kept('lib/l.txt')).to.equal('changed in lib');
    expect(kept('nested/n.txt')).to.equal('changed in nested');
    expect(made.baseSha).to.have.length(40);
  });

  it('runs nothing to check whether a base contains the work', async () => {
    const order = {
      repository: fixture.path('r'),
      path: fixture.path('w/one'),
      branch: 'muster/one-1',
      reason: 'muster 1',
    };
    await addWorktree(order);
    fixture.write('w/one/a.txt', 'work\n');
    fixture.commit('w/one', 'work');
    fixture.write('r/a.txt', 'other\n');
    fixture.commit('r', 'other');
    plant('r/.git', 'main');
    const found = await inspectWorktree({ ...order, base: 'main' });
    expect(found.state === 'present' && found.facts.unheldCommits).to.equal(1);
    expect(ran()).to.equal('');
  });
}).timeout(60_000);
