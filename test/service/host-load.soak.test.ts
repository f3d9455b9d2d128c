import { hostname } from 'node:os';
import { expect } from 'chai';
import type { Host } from '#contract/host/host.ts';
import { version } from '#gateway/http/version.ts';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';

describe('the load of hosts', () => {
  let pieces: Pieces;
  before(async () => {
    pieces = await setUpPieces();
    for (const piece of ['registry', 'host', 'otherHost', 'gateway'] as const) await pieces.start(piece);
  });
  after(() => pieces.stop());

  const list = async () => (await pieces.call<{ hosts: Host[] }>('host.v1.HostService/ListHosts', {})).hosts;
  const measuredAt = (host: Host | undefined) => Date.parse(host?.load?.measuredAt ?? '');

  it('is measured with each beat, and kept after a host has ended', async () => {
    const begun = Date.now();
    const first = await list();
    expect(first.map(({ name }) => name)).to.deep.equal([hostname(), hostname()]);
    for (const host of first) {
      const { loadAverage1m, cpuCount, memoryTotalBytes, diskFreeBytes, diskTotalBytes } = host.load ?? {};
      expect(loadAverage1m).to.be.at.least(0);
      expect(cpuCount).to.be.at.least(1);
      expect(Number(memoryTotalBytes)).to.be.above(2 ** 24);
      expect(Number(diskFreeBytes)).to.be.within(0, Number(diskTotalBytes));
      expect(host).to.include({ system: `${process.platform} ${process.arch}`, musterVersion: version });
      expect(Date.parse(host.startedAt ?? '')).to.be.within(begun - 60_000, begun);
    }
    await pieces.kill('otherHost');
    const atEnd = await list();
    const found = await moment('the one that lives measures anew', async () => {
      const hosts = await list();
      return hosts.some((host, at) => measuredAt(host) > measuredAt(atEnd[at])) ? hosts : undefined;
    });
    const still = found.filter((host, at) => measuredAt(host) === measuredAt(atEnd[at]));
    expect(still).to.have.length(1);
    const before = atEnd.find(({ id }) => id === still[0]?.id);
    expect(still[0]?.load).to.deep.equal(before?.load);
  });
});
