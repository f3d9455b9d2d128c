import { execFile, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { readCompose } from './compose-file.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
/** What the image is built from, besides what starts with the files of deploy/. */
const context = [
  'actors',
  'bin',
  'bus',
  'examples',
  'machines',
  'proto',
  'src',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** A service as `docker compose ps` shows it. */
interface Shown {
  readonly Service: string;
  readonly Health: string;
  readonly ID: string;
}

/** Why containers cannot run here; undefined if they can. */
async function whyNoContainers(ports: readonly string[]): Promise<string | undefined> {
  if (spawnSync('docker', ['compose', 'version']).status !== 0) return 'Docker Compose is not installed';
  if (spawnSync('docker', ['info'], { timeout: 10_000 }).status !== 0) return 'no container engine answers';
  for (const port of ports) if (await isTaken(Number(port))) return `port ${port} is in use`;
  return undefined;
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

describe('deploy/compose.yaml with a container engine', function () {
  this.timeout(1_200_000);
  const project = `muster-test-${process.pid}`;
  let place: TemporaryFolder;
  let isUp = false;

  const compose = async (...args: string[]): Promise<string> => {
    const all = ['compose', '-p', project, '-f', join(place.path, 'deploy/compose.yaml'), ...args];
    const { stdout } = await promisify(execFile)('docker', all, { maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  };
  /** Every service, in one document or one a line, as the version of Compose has it. */
  const shown = async (): Promise<readonly Shown[]> => {
    const text = (await compose('ps', '--all', '--format', 'json')).trim();
    return JSON.parse(text.startsWith('[') ? text : `[${text.replaceAll('\n', ',')}]`) as Shown[];
  };
  const restartsOf = async (service: string): Promise<number> => {
    const { ID: id = '' } = (await shown()).find(({ Service }) => Service === service) ?? {};
    const { stdout } = await promisify(execFile)('docker', ['inspect', '--format', '{{.RestartCount}}', id]);
    return Number(stdout);
  };

  before(() => {
    place = temporaryFolder('containers');
    for (const name of ['deploy', 'nats.conf', 'nats-cluster.conf', ...context])
      cpSync(join(checkout, name), join(place.path, name), { recursive: true });
    const { status, stderr } = spawnSync(join(place.path, 'deploy/make-secrets.sh'), ['muster.test', '127.0.0.1'], {
      env: { ...process.env, MUSTER: join(checkout, 'bin/muster') },
    });
    expect(status, String(stderr)).to.equal(0);
  });
  after(async () => {
    if (isUp) await compose('down', '--volumes', '--timeout', '20');
    place.remove();
  });

  it('starts with one command, answers, and restarts a killed registry', async function () {
    const services = readCompose(join(place.path, 'deploy'));
    const why = await whyNoContainers(services.flatMap(({ published }) => [...published.keys()]));
    if (why !== undefined) {
      if (this.test) this.test.title += ` (skipped: ${why})`;
      this.skip();
    }
    isUp = true;
    await compose('up', '--build', '--detach', '--wait');
    const all = await shown();
    expect(all.map(({ Service }) => Service)).to.have.members(services.map(({ name }) => name));
    expect(all.filter(({ Health }) => Health !== 'healthy')).to.deep.equal([]);
    await compose('exec', '-T', 'registry-1', 'muster', 'hosts');
    await compose('exec', '-T', 'registry-1', 'muster', 'backup', '/backups/one.backup');
    // What kills the registry ends its container, and the command in it too.
    await compose('exec', '-T', 'registry-1', 'sh', '-c', 'kill -KILL -1').catch(() => undefined);
    await compose('exec', '-T', 'registry-2', 'muster', 'hosts');
    await moment('the registry was restarted', async () => (await restartsOf('registry-1')) > 0);
    await compose('up', '--detach', '--wait');
  });
});
