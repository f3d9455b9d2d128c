import { expect } from 'chai';
import { ProofNonces } from '#gateway/page/proof-nonces.ts';

describe('the nonces of proofs', () => {
  function stage() {
    const clock = { now: 0 };
    const names = Array.from({ length: 9 }, (_, at) => `nonce-${at + 1}`);
    const nonces = new ProofNonces(
      () => clock.now,
      () => names.shift() ?? '',
    );
    return { clock, nonces };
  }

  it('accept each proof once, and those of one nonce for at most two minutes', () => {
    const { clock, nonces } = stage();
    const first = nonces.current;
    expect([nonces.take(first, 'a'), nonces.take(first, 'a'), nonces.take(first, 'b')]).to.deep.equal([
      true,
      false,
      true,
    ]);
    clock.now = 60_001;
    expect(nonces.current).not.to.equal(first);
    expect([nonces.take(first, 'a'), nonces.take(first, 'c')]).to.deep.equal([false, true]);
    clock.now = 120_003;
    expect(nonces.take(first, 'd')).to.equal(false);
    clock.now = 1_000_000;
    expect(nonces.take('nonce-3', 'e'), 'after a long rest').to.equal(false);
    expect(nonces.take(nonces.current, 'e')).to.equal(true);
  });

  it('refuse unknown ones, and keep no more than needed', () => {
    const { nonces } = stage();
    for (const odd of [undefined, null, '', 7, 'nonce-2']) expect(nonces.take(odd, 'a'), String(odd)).to.equal(false);
    const first = nonces.current;
    for (let at = 0; at < 50_000; at += 1) nonces.take(first, String(at));
    expect(nonces.current, 'another one, so that the first is forgotten soon').not.to.equal(first);
    expect(nonces.take(first, '7')).to.equal(false);
  });
});
