import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { type Checkout, readCheckout } from '#world/git/checkout/checkout.ts';
import { checkoutFingerprint } from '#world/git/checkout/checkout-fingerprint.ts';
import { GitFixture } from '../git-fixture.ts';

describe('the fingerprint of a checkout', () => {
  let fixture: GitFixture;
  beforeEach(() => {
    fixture = new GitFixture();
    fixture.repository('r');
    fixture.git('r', 'remote', 'add', 'origin', 'git@github.com:owner/repo.git');
    fixture.git('r', 'worktree', 'add', '-q', '-b', 'feature/x', '../w');
  });
  afterEach(() => fixture.dispose());

  const read = async (): Promise<Checkout> => {
    const found = await readCheckout(fixture.path('w'));
    if (found === undefined) throw new Error('there is no checkout');
    return found;
  };
  /** The fingerprint once nothing has been written for a while. */
  const stableFingerprint = (checkout: Checkout): string | undefined =>
    checkoutFingerprint(fixture.path('w'), checkout, Date.now() + 10_000);

  it('is the same without changes', async () => {
    const checkout = await read();
    const fingerprint = stableFingerprint(checkout);
    expect(fingerprint).to.be.a('string');
    fixture.write('w/new.txt', 'not added');
    fixture.commit('r', 'on another branch');
    fixture.git('w', 'log', '--oneline');
    expect(stableFingerprint(await read())).to.equal(fingerprint);
  });

  it('differs after any change of the checkout', async () => {
    fixture.write('r/a.txt', 'two\n');
    fixture.commit('r', 'in the way');
    const git = (...args: string[]) => fixture.git('w', ...args);
    const steps: Record<string, () => unknown> = {
      'a commit': () => fixture.commit('w', 'second'),
      'packed references': () => git('pack-refs', '--all'),
      'a commit on a packed reference': () => fixture.commit('w', 'third'),
      'a commit amended': () => git('commit', '-q', '--amend', '--allow-empty', '-m', 'amended'),
      'a reset': () => git('reset', '-q', '--soft', 'HEAD~1'),
      'a reference moved from elsewhere': () => fixture.git('r', 'update-ref', 'refs/heads/feature/x', 'main'),
      'another branch': () => git('switch', '-q', '-f', '-c', 'feature/y', 'feature/x~1'),
      'the branch renamed': () => git('branch', '-m', 'feature/z'),
      'a merge part-way': () => {
        fixture.write('w/a.txt', 'three\n');
        fixture.commit('w', 'fourth');
        expect(() => git('merge', 'main')).to.throw();
      },
      'the merge given up': () => git('merge', '--abort'),
      'a rebase part-way': () => expect(() => git('rebase', 'main')).to.throw(),
      'the rebase given up': () => git('rebase', '--abort'),
      'no branch': () => git('switch', '-q', '--detach'),
      'a commit on no branch': () => fixture.commit('w', 'fifth'),
      'another address': () => git('remote', 'set-url', 'origin', 'git@github.com:owner/other.git'),
      'the folder gone': () => rmSync(fixture.path('w'), { recursive: true }),
    };
    for (const [what, step] of Object.entries(steps)) {
      const before = await read();
      const fingerprint = stableFingerprint(before);
      step();
      expect(stableFingerprint(before), what).to.not.equal(fingerprint);
      const after = await readCheckout(fixture.path('w'));
      if (what !== 'packed references') expect(after, what).to.not.deep.equal(before);
    }
  });

  it('is undefined while the files are too recent for their timestamps', async () => {
    fixture.commit('w', 'second');
    expect(checkoutFingerprint(fixture.path('w'), await read(), Date.now())).to.equal(undefined);
  });
});
