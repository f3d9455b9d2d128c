import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type FaultyDisk, faultyDisk } from '#test/support/faulty-disk.ts';
import { freePort } from '#test/support/free-port.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { findProcess } from '#world/process/process-tree.ts';

const muster = fileURLToPath(new URL('../../../bin/muster.mjs', import.meta.url));

describe('muster start on a full disk', () => {
  let folder: TemporaryFolder;
  let disk: FaultyDisk;
  let url: string;
  let program: ChildProcess;
  beforeEach(async function () {
    folder = temporaryFolder('full-disk');
    const made = faultyDisk(folder.path, 24);
    if (made === undefined) return this.skip();
    disk = made;
    const home = join(disk.path, 'home');
    mkdirSync(home);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const env = { ...process.env, MUSTER_HOME: home, MUSTER_PORT: String(port), MUSTER_LOG: 'info' };
    program = spawn(process.execPath, [muster, 'start'], { env, cwd: folder.path, stdio: ['ignore', 'pipe', 'pipe'] });
    program.stderr?.resume();
    program.stdout?.resume();
    await moment('it is ready', async () => (await look())?.status === 200);
  });
  afterEach(async () => {
    if (program?.exitCode === null) {
      program.kill('SIGTERM');
      await once(program, 'exit');
    }
    disk?.remove();
    folder.remove();
  });

  const look = () => fetch(`${url}/readyz`).catch(() => undefined);
  const file = (name: string) => readFileSync(join(disk.path, 'home', name), 'utf8');
  async function call(method: string, body: object = {}): Promise<{ status: number; text: string }> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${file('operator.token').trim()}` };
    const answer = await fetch(`${url}/${method}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, text: await answer.text() };
  }
  const pidOf = (name: string): number => {
    try {
      return (JSON.parse(file(`run/${name}.pid`)) as { pid: number }).pid;
    } catch {
      return 0;
    }
  };

  it('restarts ended processes, answers reads, and accepts writes once there is space', async () => {
    const pids = ['nats-server', 'registry', 'host', 'gateway'].map(pidOf);
    const free = disk.fill();
    for (const pid of pids) {
      process.kill(pid, 'SIGKILL');
      await moment('it is gone', async () => (await findProcess(pid)) === undefined);
    }
    const answer = await moment('reads are answered', async () => {
      const listed = await call('agent.v1.AgentService/ListAgents').catch(() => undefined);
      return listed?.status === 200 ? listed : undefined;
    });
    expect(JSON.parse(answer.text)).to.be.an('object');
    expect(program.exitCode).to.equal(null);
    free();
    await moment('all is well', async () => (await look())?.status === 200);
  });
});
