import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Check } from '#contract/host/check.ts';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { inSoak } from '#test/support/soak.ts';

const muster = fileURLToPath(new URL('../../../bin/muster', import.meta.url));

interface DoctorRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe('muster doctor with a running service', () => {
  let pieces: Pieces;
  before(async () => {
    pieces = await setUpPieces();
    for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
  });
  after(() => pieces.stop());

  async function doctor(args: readonly string[], environment: Record<string, string> = {}): Promise<DoctorRun> {
    const env = { ...process.env, MUSTER_HOME: pieces.home, MUSTER_PORT: new URL(pieces.url).port, ...environment };
    const child = spawn(muster, ['doctor', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { status: child.exitCode, stdout, stderr };
  }
  /** What it found, by name, with the part before it. */
  async function checks(environment: Record<string, string> = {}): Promise<ReadonlyMap<string, Check>> {
    const { stdout, stderr } = await doctor(['-o', 'json'], environment);
    expect(stdout, stderr).not.to.equal('');
    const told = JSON.parse(stdout) as { checks: (Check & { part?: string })[] };
    return new Map(told.checks.map((check) => [check.part ? `${check.part}: ${check.name}` : check.name, check]));
  }

  it('checks the service, its page, the metrics, sign-in, the registry and each host', async () => {
    const found = await checks();
    for (const name of ['service', 'metrics', 'sign-in', 'registry: bus', 'registry: database', 'database file']) {
      expect(found.get(name), name).to.include({ outcome: 'ok' });
    }
    for (const name of ['online', 'tmux', 'git', 'free space', 'open files', 'time zones']) {
      expect(found.get(`host ${hostname()}: ${name}`), [...found.keys()].join(', ')).to.include({ outcome: 'ok' });
    }
    expect(found.has('page’s address')).to.equal(true);
    const { stdout } = await doctor([]);
    expect(stdout).to.match(/^ok +registry +\d+ checks passed$/m);
  });

  it('counts each shown warning once in its last line', async () => {
    chmodSync(pieces.home, 0o755);
    try {
      const { stdout } = await doctor([]);
      const shown = stdout.match(/^warn /gm)?.length ?? 0;
      expect(stdout).to.match(/^warn +state folder +/m);
      expect(stdout).to.match(new RegExp(`\\nmuster can run here: ${shown} warnings?, none blocking\\n$`));
    } finally {
      chmodSync(pieces.home, 0o700);
    }
  });

  inSoak('reports with --host what that host found, and refuses one that there is not', async () => {
    const { status, stdout } = await doctor(['--host', hostname()]);
    expect(status, stdout).to.equal(0);
    expect(stdout)
      .to.match(/^ok +online +seen /m)
      .and.match(/^ok +git /m)
      .and.not.include('service');
    const none = await doctor(['--host', 'nowhere']);
    expect([none.status, none.stdout]).to.deep.equal([4, '']);
    expect(none.stderr).to.include('There is no host "nowhere"');
  });

  it('fails if this folder’s token is not the service’s', async () => {
    writeFileSync(join(pieces.otherHome, 'operator.token'), 'of-another-installation\n', { mode: 0o600 });
    const found = (await checks({ MUSTER_HOME: pieces.otherHome })).get('sign-in');
    expect(found).to.include({ outcome: 'fail' });
    expect(found?.found).to.include('uses another state folder');
  });

  inSoak('fails if another program answers at the address', async () => {
    const other = createServer((_request, response) => response.writeHead(404).end('nothing'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    try {
      const MUSTER_URL = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const found = await checks({ MUSTER_URL });
      expect(found.get('service')).to.include({
        outcome: 'fail',
        found: `the server at ${MUSTER_URL} is not muster`,
      });
      expect(found.get('page’s address')?.outcome).to.equal('warn');
      expect(found.get('metrics')?.found).to.equal(`${MUSTER_URL}/metrics answers HTTP 404`);
      expect(found.get('sign-in')?.outcome).to.equal('warn');
    } finally {
      other.closeAllConnections();
      other.close();
    }
  });

  it('fails with status 1 while the only host is gone, and while the registry is', async () => {
    await pieces.kill('host');
    const name = `host ${hostname()}: online`;
    const gone = await checks();
    expect(gone.get(name)).to.include({ outcome: 'fail' });
    expect(gone.get(name)?.mend).to.include('start `muster host`');
    await pieces.kill('registry');
    const { status, stdout } = await doctor([]);
    expect(status).to.equal(1);
    expect(stdout).to.match(/^fail +registry +/m);
    await pieces.start('registry');
    await pieces.start('host');
    await moment('all is well', async () => (await checks()).get(name)?.outcome === 'ok');
  });
});
