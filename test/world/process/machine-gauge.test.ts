import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { MachineLoad } from '#contract/wire/host-condition.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import { type LoadSystem, MachineGauge } from '#world/process/machine-gauge.ts';
import { memoryLimit } from '#world/process/memory-limit.ts';

const gibibyte = 2 ** 30;
const disk = { bsize: 4096, blocks: 1_000_000, bavail: 250_000 };

const linux: LoadSystem = {
  platform: 'linux',
  cpuCount: () => 4,
  loadAverage1m: () => 1.257,
  totalBytes: () => 16 * gibibyte,
  freeBytes: () => 10 * gibibyte,
  memoryLimit: () => undefined,
  statfs: async () => disk,
};

/** A clock on which nothing is ever late, and one on which all is. */
const patient: Timer = { now: () => 0, sleep: () => new Promise(() => {}) };
const hasty: Timer = { now: () => 0, sleep: async () => {} };

const read = (system: Partial<LoadSystem>, clock = patient) =>
  new MachineGauge('/trees/here', { ...linux, ...system }, clock).read();

describe('the load of a machine', () => {
  it('is returned in running programs, and in bytes', async () => {
    const load = await read({});
    expect(load).to.deep.equal({
      loadAverage1m: 1.26,
      cpuCount: 4,
      memoryUsedBytes: 6 * gibibyte,
      memoryTotalBytes: 16 * gibibyte,
      diskFreeBytes: 1_024_000_000,
      diskTotalBytes: 4_096_000_000,
    });
    expect(MachineLoad.parse(load)).to.deep.equal(load);
  });

  it('omits values that the system does not report', async () => {
    expect(await read({ platform: 'darwin', freeBytes: () => gibibyte })).to.have.all.keys(
      ...['loadAverage1m', 'cpuCount', 'memoryTotalBytes', 'diskFreeBytes', 'diskTotalBytes'],
    );
    expect(await read({ cpuCount: () => 0 })).not.to.have.any.keys('loadAverage1m', 'cpuCount');
    expect(await read({ platform: 'win32', loadAverage1m: () => 0 })).not.to.have.any.keys('loadAverage1m', 'cpuCount');
  });

  for (const [what, found] of [
    ['says 0', { bsize: 4096, blocks: 0, bavail: 0 }],
    ['says more than can be counted', { bsize: 4096, blocks: 2 ** 62, bavail: 2 ** 61 }],
    ['has more free than there is', { bsize: 4096, blocks: 10, bavail: 2 ** 40 }],
  ] as const) {
    it(`omits a disk that ${what}`, async () => {
      const load = await read({ statfs: async () => found });
      expect(load).not.to.have.any.keys('diskFreeBytes', 'diskTotalBytes');
      expect(load).to.include({ cpuCount: 4 });
      expect(MachineLoad.parse(load)).to.deep.equal(load);
    });
  }

  it('omits an unreadable disk', async () => {
    const load = await read({ statfs: () => Promise.reject(new Error('EIO')) });
    expect(load).to.not.have.any.keys('diskFreeBytes', 'diskTotalBytes');
  });

  it('does not wait for a hanging disk, and has one pending request', async () => {
    let asked = 0;
    let answer: (found: typeof disk) => void = () => {};
    const statfs = (): Promise<typeof disk> => {
      asked += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const gauge = new MachineGauge('/trees', { ...linux, statfs }, hasty);
    for (let beat = 0; beat < 3; beat += 1) {
      expect(await gauge.read())
        .to.include({ cpuCount: 4 })
        .and.not.have.property('diskFreeBytes');
    }
    expect(asked).to.equal(1);
    answer(disk);
    await new Promise(setImmediate);
    await gauge.read();
    expect(asked).to.equal(2);
  });

  it('is of the disk of the nearest existing folder', async () => {
    const asked: string[] = [];
    const load = await read({
      async statfs(path) {
        asked.push(path);
        if (path !== '/') throw Object.assign(new Error('no such folder'), { code: 'ENOENT' });
        return disk;
      },
    });
    expect(asked).to.deep.equal(['/trees/here', '/trees', '/']);
    expect(load).to.include({ diskFreeBytes: 1_024_000_000 });
  });

  it('uses the memory limit if that leaves less than the machine', async () => {
    const limited = (usedBytes: number, totalBytes: number) =>
      read({ memoryLimit: () => ({ usedBytes: usedBytes * gibibyte, totalBytes: totalBytes * gibibyte }) });
    expect(await limited(3, 4)).to.include({ memoryUsedBytes: 3 * gibibyte, memoryTotalBytes: 4 * gibibyte });
    expect(await limited(1, 12)).to.include({ memoryUsedBytes: 6 * gibibyte, memoryTotalBytes: 16 * gibibyte });
  });

  it('is read on this machine', async function () {
    if (process.platform !== 'linux') this.skip();
    const folder = temporaryFolder('gauge');
    try {
      const load = await new MachineGauge(join(folder.path, 'not', 'there')).read();
      expect(MachineLoad.parse(load)).to.deep.equal(load);
      const total = Number(/MemTotal: +(\d+) kB/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]) * 1024;
      expect(load.memoryTotalBytes).to.be.at.most(total);
      expect(load.memoryUsedBytes).to.be.within(1, total);
      expect(load.cpuCount).to.be.at.least(availableParallelism());
      expect(load.diskFreeBytes).to.be.within(0, load.diskTotalBytes ?? 0);
    } finally {
      folder.remove();
    }
  });
});

describe('Linux’s memory limit', () => {
  /** The kernel's files as they were in a container with 4 GiB and in a service below a slice with 2 GiB. */
  const files: Readonly<Record<string, string>> = {
    '/proc/self/cgroup': '0::/muster.slice/host.service\n',
    '/sys/fs/cgroup/muster.slice/memory.max': `${2 * gibibyte}\n`,
    '/sys/fs/cgroup/muster.slice/memory.current': `${1.5 * gibibyte}\n`,
    '/sys/fs/cgroup/muster.slice/memory.stat': `anon 5\ninactive_file ${gibibyte}\nactive_file 7\n`,
    '/sys/fs/cgroup/muster.slice/host.service/memory.max': 'max\n',
    '/sys/fs/cgroup/muster.slice/host.service/memory.current': `${gibibyte}\n`,
  };
  const limitIn = (more: Readonly<Record<string, string>> = {}) => memoryLimit((path) => ({ ...files, ...more })[path]);

  it('is that of the group with the least left, without reclaimable file caches', () => {
    expect(limitIn()).to.deep.equal({ usedBytes: 0.5 * gibibyte, totalBytes: 2 * gibibyte });
    const own = { '/sys/fs/cgroup/muster.slice/host.service/memory.max': `${1.25 * gibibyte}\n` };
    expect(limitIn(own)).to.deep.equal({ usedBytes: gibibyte, totalBytes: 1.25 * gibibyte });
  });

  it('is that of the parent folder in a container without another one', () => {
    const seen: Readonly<Record<string, string>> = {
      '/proc/self/cgroup': '12:memory:/docker/1\n0::/docker/1\n',
      '/sys/fs/cgroup/memory.max': `${4 * gibibyte}\n`,
      '/sys/fs/cgroup/memory.current': `${gibibyte}\n`,
    };
    expect(memoryLimit((path) => seen[path])).to.deep.equal({ usedBytes: gibibyte, totalBytes: 4 * gibibyte });
  });

  it('is undefined without a limit', () => {
    expect(memoryLimit(() => undefined)).to.equal(undefined);
    expect(memoryLimit((path) => ({ '/proc/self/cgroup': '4:memory:/a\n' })[path])).to.equal(undefined);
    expect(limitIn({ '/sys/fs/cgroup/muster.slice/memory.max': 'max\n' })).to.equal(undefined);
    expect(limitIn({ '/sys/fs/cgroup/muster.slice/memory.current': '' })).to.equal(undefined);
  });
});
