import { expect } from 'chai';
import { IndexEntries } from '#world/git/repository/index-entries.ts';
import { openRepository } from '#world/git/repository/repository.ts';
import { openShadow } from '#world/git/repository/shadow.ts';
import { GitFixture } from '../git-fixture.ts';

describe('git/index-entries', () => {
  let fixture: GitFixture;
  beforeEach(() => {
    fixture = new GitFixture();
    fixture.repository('r', { 'a.txt': 'one\n', 'b.txt': 'two\n' });
  });
  afterEach(() => fixture.dispose());

  it('are listed again only once a command may have changed them', async () => {
    const at = await openRepository(fixture.path('r'));
    const headSha = fixture.git('r', 'rev-parse', 'HEAD');
    await using shadow = await openShadow(at, { headSha, index: 'shadow', objects: 'discard' });
    let lists = 0;
    const index = new IndexEntries((args, options) => {
      if (args.includes('--stage')) lists += 1;
      return shadow.git(args, options);
    });
    const names = async () => (await index.entries()).map((line) => line.slice(line.indexOf('\t') + 1));
    expect(await names()).to.deep.equal([]);
    await index.git(['read-tree', headSha]);
    expect(await names()).to.deep.equal(['a.txt', 'b.txt']);
    await index.git(['status', '--porcelain=v1']);
    await index.git(['write-tree']);
    expect(await names()).to.deep.equal(['a.txt', 'b.txt']);
    expect(lists).to.equal(2);
    await index.git(['update-index', '--force-remove', 'a.txt']);
    expect(await names()).to.deep.equal(['b.txt']);
    // A command that fails may have changed them too.
    await index.git(['add', '--', 'a.txt', 'nowhere']).catch(() => undefined);
    await index.git(['-c', 'core.quotePath=false', 'add', 'a.txt']);
    expect(await names()).to.deep.equal(['a.txt', 'b.txt']);
    expect(lists).to.equal(4);
  });

  it('are listed again after a failure', async () => {
    let isAway = true;
    const index = new IndexEntries(async () => {
      if (isAway) throw new Error('away');
      return { stdout: Buffer.from('one\0'), stderr: Buffer.alloc(0), exitCode: 0 };
    });
    expect(await index.entries().catch(({ message }: Error) => message)).to.equal('away');
    isAway = false;
    expect(await index.entries()).to.deep.equal(['one']);
  });
});
