import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { AgentLimits } from '#actors/host/isolation/agent-limits.ts';
import type { IsolatedSubject } from '#actors/host/isolation/sandbox-spec.ts';
import type { Limits } from '#contract/host/limits.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { findCgroupPlace } from '#world/isolation/cgroup-place.ts';
import { Cgroups } from '#world/isolation/cgroups.ts';

const place = findCgroupPlace();
if (typeof place === 'string') console.log(`Without limits: ${place}`);
const withGroups = typeof place === 'string' ? describe.skip : describe;
const always = (): boolean => true;
const window = { isBeside: false } as const;

describe('the limits of agents', () => {
  let folder: TemporaryFolder;
  let cgroups: Cgroups;
  let limits: AgentLimits;
  const log = { warn: () => {}, info: () => {} };
  const opened = (with_: Cgroups = cgroups) => new AgentLimits({ cgroups: with_, sandboxes: folder.path, log });
  const subject = (id: string, grants: Limits, worktree?: string): IsolatedSubject => ({
    ...{ id, family: id, worktree },
    launch: { grants, harness: 'shell', cwd: folder.path },
  });
  /** Starts a script of the shell as a program of an agent. */
  const started = async (of: IsolatedSubject, script: string, isBeside = false): Promise<ChildProcess> => {
    const [file = '', ...args] = (await limits.around(of, { isBeside }))(['/bin/sh', '-c', script]);
    return spawn(file, args, { stdio: 'ignore' });
  };

  beforeEach(() => {
    folder = temporaryFolder('limits');
    cgroups = new Cgroups(join(folder.path, 'cgroups.json'), `muster-test-${process.pid}`);
    limits = opened();
  });
  afterEach(async () => {
    for (const name of cgroups.names()) await cgroups.group(name)?.remove();
    cgroups.close();
    expect(existsSync(join(folder.path, 'cgroups.json'))).to.equal(false);
    folder.remove();
  });

  withGroups('where control groups can be made', () => {
    for (const [name, grants, script, text] of [
      ['memory', { memoryMib: 64 }, 'head -c 200M /dev/zero | tail; sleep 60', '64 MiB of memory'],
      ['processes', { maxProcesses: 20 }, 'for n in $(seq 40); do sleep 60 & done; sleep 60', '20 processes'],
    ] as const) {
      it(`end an agent that uses too much of ${name}, with everything that it started, and no other one`, async () => {
        const other = await started(subject('other', { memoryMib: 64, maxProcesses: 20 }), 'sleep 60');
        const agent = await started(subject('agent', grants), script);
        const over = once(agent, 'exit');
        await moment('it to exceed its limit, and to be ended', async () => {
          await limits.look(always);
          return limits.exceeded('agent') !== undefined && !cgroups.names().includes('agent');
        });
        expect(limits.exceeded('agent')).to.equal(text);
        await over;
        expect(cgroups.names()).to.deep.equal(['other']);
        expect([other.exitCode, other.signalCode, limits.exceeded('other')]).to.deep.equal([null, null, undefined]);
      });
    }

    it('slow down an agent that spins with many processes, and end nobody', async () => {
      const spin = 'for n in 1 2 3 4; do while :; do :; done & done; wait';
      const agent = await started(subject('agent', { cpuPercent: 10 }), spin);
      const { cpu = '' } = cgroups.recorded()?.folders ?? {};
      const throttled = () =>
        Number(/^nr_throttled ([0-9]+)$/m.exec(readFileSync(join(cpu, 'agent', 'cpu.stat'), 'utf8'))?.[1]);
      await moment('it to be slowed down', () => throttled() > 2);
      await limits.look(always);
      expect([limits.exceeded('agent'), agent.exitCode, agent.signalCode]).to.deep.equal([undefined, null, null]);
      await limits.forget('agent');
    });

    it('end an agent whose worktree takes too much disk while it has a window', async () => {
      const worktree = join(folder.path, 'worktree');
      mkdirSync(worktree);
      const agent = await started(subject('agent', { diskMib: 2 }, worktree), 'sleep 60');
      await limits.measure(always);
      expect(limits.exceeded('agent')).to.equal(undefined);
      writeFileSync(join(worktree, 'filler'), Buffer.alloc(3 * 1024 ** 2, 'x'));
      await limits.measure(() => false);
      expect(limits.exceeded('agent')).to.equal(undefined);
      const over = once(agent, 'exit');
      await limits.measure(always);
      expect(limits.exceeded('agent')).to.equal('2 MiB of disk');
      expect(await over).to.deep.equal([null, 'SIGKILL']);
    });

    it('end an agent that makes more empty files than a file system has room for', async () => {
      const worktree = join(folder.path, 'worktree');
      mkdirSync(worktree);
      const agent = await started(subject('agent', { diskMib: 2 }, worktree), 'sleep 60');
      for (let count = 0; count < 2_100; count += 1) writeFileSync(join(worktree, `${count}`), '');
      const over = once(agent, 'exit');
      await limits.measure(always);
      expect(limits.exceeded('agent')).to.equal('2 MiB of disk');
      await over;
    });

    it('count from the next window on, in which nothing is left of an earlier one', async () => {
      const of = subject('agent', { maxProcesses: 20 });
      const first = await started(of, 'for n in $(seq 40); do sleep 60 & done; sleep 60');
      const over = once(first, 'exit');
      await moment('it to exceed its limit', () => limits.exceeded('agent') !== undefined);
      // A script beside it does not begin another window.
      await once(await started(of, 'true', true), 'exit');
      expect(limits.exceeded('agent')).to.equal('20 processes');
      const next = await started(of, 'sleep 60');
      await over;
      expect([limits.exceeded('agent'), next.exitCode]).to.deep.equal([undefined, null]);
    });

    it('end what did not end at the first try', async () => {
      const find = cgroups.group.bind(cgroups);
      let fails = true;
      cgroups.group = (name) => {
        const group = find(name);
        if (fails && group !== undefined) group.remove = async () => false;
        return group;
      };
      const agent = await started(
        subject('agent', { maxProcesses: 20 }),
        '(for n in $(seq 40); do sleep 60 & done); exec sleep 60',
      );
      await moment('it to exceed its limit', () => limits.exceeded('agent') !== undefined);
      await limits.look(always);
      expect([agent.exitCode, agent.signalCode]).to.deep.equal([null, null]);
      fails = false;
      const over = once(agent, 'exit');
      await limits.look(always);
      expect(await over).to.deep.equal([null, 'SIGKILL']);
      // What runs for it afterwards, such as a script that clears up, is let run.
      const after = await started(subject('agent', { maxProcesses: 20 }), 'sleep 60', true);
      await limits.look(always);
      expect([after.exitCode, after.signalCode]).to.deep.equal([null, null]);
    });

    it('end nothing of an agent that is launched again while its earlier window is forgotten', async () => {
      const of = subject('agent', { maxProcesses: 20 });
      const first = await started(of, 'sleep 60');
      const over = once(first, 'exit');
      const joined = cgroups.group('agent')?.joins[0] ?? '';
      await moment('it to join', () => readFileSync(joined, 'utf8').includes(`${first.pid}\n`));
      const forgotten = limits.forget('agent');
      const next = await started(of, 'sleep 60');
      await Promise.all([forgotten, over]);
      expect([next.exitCode, next.signalCode]).to.deep.equal([null, null]);
      expect(cgroups.names()).to.deep.equal(['agent']);
    });

    it('leave nothing of an agent that is archived, and end none that is unknown when its host starts again', async () => {
      const unknown = await started(subject('unknown', { maxProcesses: 20 }), 'exec sleep 60');
      const kept = await started(subject('kept', { maxProcesses: 20 }), 'sleep 60');
      limits = opened();
      limits.keep(subject('kept', { maxProcesses: 20 }));
      await limits.look(always);
      expect(cgroups.names()).to.have.members(['kept', 'unknown']);
      expect([kept.exitCode, unknown.exitCode, unknown.signalCode]).to.deep.equal([null, null, null]);
      const ended = once(unknown, 'exit');
      unknown.kill();
      await ended;
      limits = opened();
      limits.keep(subject('kept', { maxProcesses: 20 }));
      await limits.look(always);
      expect(cgroups.names()).to.deep.equal(['kept']);
      const over = once(kept, 'exit');
      await limits.forget('kept');
      await over;
      expect(cgroups.names()).to.deep.equal([]);
    });

    it('are offered by doctor, which leaves no group', () => {
      expect(limits.check())
        .to.include({ outcome: 'ok' })
        .and.to.have.property('found')
        .that.includes('can be limited');
      expect(cgroups.recorded()).to.equal(undefined);
    });
  });

  it('start nothing where the host has no control groups, or no files are the agent’s own', async () => {
    const why = 'control group / is not this user’s';
    const groupless = { group: () => undefined, names: () => [], close: () => {} };
    const none = opened({ ...groupless, open: () => why } as unknown as Cgroups);
    const refused = await failureOf(() => none.around(subject('agent', { memoryMib: 64 }), window));
    expect(refused.reason).to.equal('ISOLATION_UNAVAILABLE');
    expect(refused.message).to.equal(`cannot be limited: ${why}`);
    expect(none.check().found).to.include(`cannot be limited: ${why}`);
    const unified = { version: 2, folders: { memory: folder.path, pids: folder.path } };
    const noCpu = { ...groupless, open: () => unified } as unknown as Cgroups;
    const spinning = await failureOf(() => opened(noCpu).around(subject('agent', { cpuPercent: 50 }), window));
    expect(spinning.message).to.include('no controller cpu').and.to.include('take --cpu-percent off');
    expect(opened(noCpu).check().found).to.include('not in their use of processors');
    const unmeasured = await failureOf(() => limits.around(subject('agent', { diskMib: 2 }), window));
    expect(unmeasured.message).to.include('no files are its own');
    expect((await none.around(subject('agent', {}), window))(['x'])).to.deep.equal(['x']);
  });
});
