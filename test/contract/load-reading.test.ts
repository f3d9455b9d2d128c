import { expect } from 'chai';
import { byteText, percentText, readLoad } from '#contract/host/load-reading.ts';

const gibibyte = 2 ** 30;

describe('a load reading', () => {
  it('is per processor, with used memory and disk', () => {
    const told = {
      loadAverage1m: 3,
      cpuCount: 2,
      memoryUsedBytes: String(6 * gibibyte),
      memoryTotalBytes: String(8 * gibibyte),
      diskFreeBytes: BigInt(0),
      diskTotalBytes: BigInt(gibibyte),
    };
    expect(readLoad(told)).to.deep.equal({
      processors: { average: 3, count: 2, share: 1.5 },
      memory: { usedBytes: 6 * gibibyte, freeBytes: 2 * gibibyte, totalBytes: 8 * gibibyte, share: 0.75 },
      disk: { usedBytes: gibibyte, freeBytes: 0, totalBytes: gibibyte, share: 1 },
    });
  });

  it('omits unreported values, and keeps an average of 0', () => {
    const nothing = { processors: undefined, memory: undefined, disk: undefined };
    expect(readLoad({})).to.deep.equal(nothing);
    expect(readLoad({ memoryTotalBytes: '100', memoryUsedBytes: 0n, diskTotalBytes: '0' })).to.deep.equal(nothing);
    expect(readLoad({ cpuCount: 4 }).processors).to.deep.equal({ average: 0, count: 4, share: 0 });
  });

  it('is shown in about three digits', () => {
    const sizes = [0, 999, 1_023, 2_000, 99.96 * gibibyte, 15.6 * gibibyte, 1_023 * gibibyte, 2 ** 50 * 5_000];
    expect(sizes.map(byteText)).to.deep.equal([
      ...['0 bytes', '999 bytes', '1.0 KiB', '2.0 KiB', '100 GiB', '15.6 GiB', '1.0 TiB', '5000 PiB'],
    ]);
    expect([0, 0.385, 0.996, 1, 2.4].map(percentText)).to.deep.equal(['0%', '39%', '99%', '100%', '240%']);
  });
});
