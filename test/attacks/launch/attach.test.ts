import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { hostCalls } from '#contract/wire/registry.ts';
import { runInside } from '#test/cli/command-line.ts';
import type { FakeService } from '#test/cli/fake-service.ts';
import { fleetService } from '#test/cli/fleet.ts';

const path = 'agent.v1.AgentService/AttachAgent';

describe('a host’s answer to attach', () => {
  let service: FakeService;
  let folder: string;
  let planted: string;
  const home = () => join(folder, 'home');
  const socket = () => join(home(), 'run/agt_x.sock');

  beforeEach(async () => {
    // A socket's path may not be long.
    folder = mkdtempSync('/tmp/muster-test-');
    planted = join(folder, 'planted');
    mkdirSync(join(home(), 'run'), { recursive: true, mode: 0o700 });
    service = await fleetService();
  });
  afterEach(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The result of attaching with this answer, in each way. */
  async function attaching(answer: object): Promise<string> {
    service.on(path, () => ({ hostName: hostname(), ...answer }));
    const env = {
      SERVICE_BASE_URL: service.url,
      SERVICE_TOKEN: 't',
      MUSTER_HOME: home(),
      PATH: process.env['PATH'] ?? '',
    };
    let said = '';
    for (const argv of [['lead'], ['lead', '--print'], ['lead', '-o', 'json'], []]) {
      const { code, out, err } = await runInside(['attach', ...argv], { env, tty: true });
      expect(code, `${argv} ${out}`).not.to.equal(0);
      said += out + err;
    }
    expect(existsSync(planted)).to.equal(false);
    return said;
  }

  it('runs no command of its own', async () => {
    const said = await attaching({ command: ['touch', planted], family: 'agt_x', windowId: '@1' });
    expect(said).not.to.include('touch');
  });

  for (const family of [
    '../../tmp/agt_x',
    '/tmp/x',
    'a/b',
    '',
    '.',
    '-S',
    'agt_x.sock',
    'agt_x\n',
    "a';touch x;'",
    'a'.repeat(41),
  ]) {
    it(`names no socket by ${JSON.stringify(family)}`, async () => {
      expect(await attaching({ family, windowId: '@1' })).to.include('does not name a family');
      expect(hostCalls.attach.response.safeParse({ family, windowId: '@1' }).success).to.equal(false);
    });
  }

  for (const windowId of [
    '',
    '1',
    '%1',
    '@',
    '@1;kill-server',
    '@1 ; run-shell "touch x"',
    '#(touch x)',
    '@1\n',
    '@0000000000',
  ]) {
    it(`names no window by ${JSON.stringify(windowId)}`, async () => {
      expect(await attaching({ family: 'agt_x', windowId })).to.include('is not the id of a tmux window');
      expect(hostCalls.attach.response.safeParse({ family: 'agt_x', windowId }).success).to.equal(false);
    });
  }

  const listening = (at: string): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer().listen(at, () => resolve(server));
    });
  const answer = { family: 'agt_x', windowId: '@1' };

  it('leads only to a socket, and through no link', async () => {
    expect(await attaching(answer)).to.include('there is no tmux socket');
    writeFileSync(socket(), '');
    expect(await attaching(answer)).to.include('is not attached to');
    rmSync(socket());
    const elsewhere = await listening(join(folder, 'other.sock'));
    symlinkSync(join(folder, 'other.sock'), socket());
    expect(await attaching(answer)).to.include('is not attached to');
    elsewhere.close();
  });

  it('leads to no socket that another user has made, or could have', async () => {
    const server = await listening(socket());
    chmodSync(join(home(), 'run'), 0o777);
    expect(await attaching(answer)).to.include('is not attached to');
    chmodSync(join(home(), 'run'), 0o700);
    if (process.getuid?.() === 0) {
      chownSync(socket(), 65_534, 65_534);
      expect(await attaching(answer)).to.include('is not attached to');
    }
    server.close();
  });

  it('runs no program from the current folder', async () => {
    execFileSync('tmux', ['-S', socket(), '-f', '/dev/null', 'new-session', '-d', '-s', 'muster', 'exec cat']);
    try {
      const cwd = join(folder, 'here');
      mkdirSync(cwd);
      writeFileSync(join(cwd, 'tmux'), '#!/bin/sh\n', { mode: 0o755 });
      service.on(path, () => answer);
      const env = {
        SERVICE_BASE_URL: service.url,
        SERVICE_TOKEN: 't',
        MUSTER_HOME: home(),
        PATH: `.::${process.env['PATH']}`,
      };
      const { out } = await runInside(['attach', 'lead', '--print'], { env, cwd });
      expect(out).to.match(/^\/usr\/bin\/env -u TMUX \/\S+\/tmux -u -N -S /);
    } finally {
      execFileSync('tmux', ['-S', socket(), 'kill-server']);
    }
  });

  it('writes no control sequence to the terminal', async () => {
    service.on('agent.v1.AgentService/AttachAgent', () => ({ ...answer, hostName: 'evil\u001b]0;x\u0007' }));
    const env = { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', MUSTER_HOME: home() };
    for (const flags of [['-o', 'json'], ['--print'], []]) {
      const { out, err } = await runInside(['attach', 'lead', ...flags], { env });
      expect(`${out}${err}`).not.to.include('\u001b');
    }
  });
});
