import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { Cgroup } from '#world/isolation/cgroup.ts';
import { findCgroupPlace } from '#world/isolation/cgroup-place.ts';
import { Cgroups } from '#world/isolation/cgroups.ts';

(process.platform === 'linux' ? describe : describe.skip)('the place of control groups', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('cgroups');
  });
  afterEach(() => folder.remove());

  /** Makes a group of version 2 as files. One with processes refuses to pass controllers on. */
  const group = (path: string, { passesOn = '', isBusy = false, controllers = 'cpu memory pids' } = {}): string => {
    const at = join(folder.path, path);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'cgroup.procs'), '');
    writeFileSync(join(at, 'cgroup.controllers'), `${controllers}\n`);
    if (isBusy) mkdirSync(join(at, 'cgroup.subtree_control'));
    else writeFileSync(join(at, 'cgroup.subtree_control'), passesOn);
    return at;
  };
  const found = (own: string, mounts = `30 23 0:26 / ${folder.path} rw - cgroup2 cgroup2 rw\n`) =>
    findCgroupPlace((path) => (path === '/proc/self/mountinfo' ? mounts : own));
  const unified = (at: string) => ({ version: 2, folders: { memory: at, pids: at } });

  it('is in version 2 the nearest group around this process’s that has no processes', () => {
    group('user.slice', { isBusy: true });
    const slice = group('user.slice/app.slice', { passesOn: 'memory pids' });
    group('user.slice/app.slice/muster.service', { isBusy: true });
    expect(found('0::/user.slice/app.slice/muster.service\n')).to.deep.equal(unified(slice));
  });

  it('is made to pass both controllers on, as in a unit with a group for its processes', () => {
    const unit = group('muster.service');
    group('muster.service/muster', { isBusy: true });
    expect(found('0::/muster.service/muster\n')).to.deep.equal(unified(unit));
    expect(readFileSync(join(unit, 'cgroup.subtree_control'), 'utf8')).to.equal('+memory +pids +cpu');
  });

  it('limits processors only if that controller is passed on', () => {
    const slice = group('user.slice', { passesOn: 'cpu memory pids' });
    expect(found('0::/user.slice\n')).to.deep.equal({
      version: 2,
      folders: { memory: slice, pids: slice, cpu: slice },
    });
    const without = group('other.slice', { controllers: 'memory pids' });
    expect(found('0::/other.slice\n')).to.deep.equal(unified(without));
  });

  it('does not exist if no such group has both controllers, and then says what to do', () => {
    group('.', { controllers: 'cpu pids' });
    group('session.scope', { isBusy: true });
    expect(found('0::/session.scope\n')).to.include('muster service install').and.to.include('Delegate=yes');
    expect(found('0::/\n', '')).to.include('no control groups for memory and pids');
  });

  it('is in version 1 the group of this process, of each controller', () => {
    const [memory, pids] = [group('memory/own'), group('pids')];
    const mounts = ['memory', 'pids'].map(
      (name) => `30 23 0:26 / ${folder.path}/${name} rw - cgroup cgroup rw,${name}\n`,
    );
    const place = { version: 1, folders: { memory, pids } };
    expect(found('4:memory:/own\n8:pids:/\n0::/\n', mounts.join(''))).to.deep.equal(place);
  });

  it('limits processors also if it was made by a version that could not, and agents are still in it', () => {
    const passesOn = 'cpu memory pids';
    group('unit', { passesOn });
    const at = group('unit/muster-old', { passesOn });
    const file = join(folder.path, 'cgroups.json');
    writeFileSync(file, JSON.stringify(unified(at)));
    const place = { version: 2, folders: { memory: at, pids: at, cpu: at } };
    const cgroups = new Cgroups(file, 'muster-old');
    expect([cgroups.open(), cgroups.recorded()]).to.deep.equal([place, place]);
  });

  it('has groups with the limits of an agent', () => {
    const at = group('agent');
    writeFileSync(join(at, 'memory.swap.max'), 'max');
    writeFileSync(join(at, 'memory.oom.group'), '0');
    const { path } = folder;
    const agent = new Cgroup({ version: 2, folders: { memory: path, pids: path, cpu: path } }, 'agent');
    const files = ['cpu.max', 'memory.max', 'memory.swap.max', 'memory.oom.group', 'pids.max'];
    const held = () => files.map((name) => readFileSync(join(at, name), 'utf8'));
    agent.make({ memoryMib: 2 });
    expect(existsSync(join(at, 'cpu.max'))).to.equal(false);
    agent.make({ memoryMib: 2, maxProcesses: 30, cpuPercent: 150 });
    expect(held()).to.deep.equal(['150000 100000', '2097152', '0', '1', '30']);
    agent.make({ maxProcesses: 30 });
    expect(held()).to.deep.equal(['max 100000', 'max', 'max', '1', '30']);
    writeFileSync(join(at, 'memory.events'), 'low 0\noom 1\noom_kill 1\noom_group_kill 1\n');
    expect(agent.exceeded()).to.equal('memoryMib');
    // The whole computer was out of memory.
    writeFileSync(join(at, 'memory.events'), 'low 0\noom 0\noom_kill 1\n');
    expect(agent.exceeded()).to.equal(undefined);
    writeFileSync(join(at, 'pids.events'), 'max 3\n');
    expect(agent.exceeded()).to.equal('maxProcesses');
  });
});
