import { expect } from 'chai';
import { RefusalGate } from '#actors/host/isolation/refusal-gate.ts';

describe('the refused connections of an isolated agent', () => {
  let now = 0;
  let gate: RefusalGate;
  beforeEach(() => {
    now = 1_000;
    gate = new RefusalGate(() => now);
  });
  const admitted = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => gate.admits(`${name}-${index}.example:443`)).filter(Boolean).length;

  it('are reported, the same one not again at once', () => {
    expect(gate.admits('a.example:443')).to.equal(true);
    expect(gate.admits('a.example:443')).to.equal(false);
    expect(gate.admits('b.example:443')).to.equal(true);
    now += 2_000;
    expect(gate.admits('a.example:443')).to.equal(true);
  });

  it('are reported by twenty, then now and then, if they are ever new ones', () => {
    expect(admitted(500, 'first')).to.equal(20);
    now += 30_000;
    expect(admitted(500, 'second')).to.equal(2);
    now += 3_600_000;
    expect(admitted(500, 'third')).to.equal(20);
  });

  it('are not reported if no such name can be granted', () => {
    expect(gate.admits(`${'a'.repeat(3_000)}.example:443`)).to.equal(false);
    expect(gate.admits('a%00.example:443')).to.equal(false);
  });
});
