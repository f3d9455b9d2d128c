import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { moment } from '#test/support/moment.ts';
import { endTerminals } from '#test/support/pieces.ts';
import { inSoak, isSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import { composeDocument } from './compose-file.ts';
import { callOverTls } from './https-call.ts';
import { type Services, startServices, whyUnchecked } from './services.ts';

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));
const muster = fileURLToPath(new URL('../../bin/muster', import.meta.url));
const names = Object.keys(composeDocument(join(deploy, 'compose.yaml'))['services'] as object);

/** The services that are ended while the others continue: in the suite one, and `test/crash/mail.test.ts` kills registries. */
const ended = [...someOf(['nats-1', 'gateway-1', 'nats-3']), ...(isSoak ? ['registry-1', 'registry-2'] : [])];

interface Created {
  readonly workflow: { readonly id: string };
}

/** The settings of a host, as the README gives them. */
function hostSettings(services: Services): Readonly<Record<string, string>> {
  const [, block = ''] = /```sh\n# host\.env\n(.*?)```/s.exec(readFileSync(join(deploy, 'README.md'), 'utf8')) ?? [];
  const secrets = join(services.deploy, 'secrets');
  const lines = [...services.placed(block).matchAll(/^([A-Z_]+)=(.*)$/gm)];
  return Object.fromEntries(
    lines.map(([, name = '', value = '']) => [name, value.replace('/etc/muster', secrets).trim()]),
  );
}

describe('the services of deploy/compose.yaml as processes', function () {
  this.timeout(180_000);
  let services: Services;
  let host: ChildProcess | undefined;
  let home: string;
  let workflowId: string;

  before(async function () {
    // Only there is all of 127.0.0.0/8 this machine's.
    if (process.platform !== 'linux') this.skip();
    services = await startServices();
    home = join(services.folder, 'host');
    mkdirSync(home);
  });
  after(async () => {
    if (host?.exitCode === null) {
      const ended = once(host, 'exit');
      host.kill('SIGTERM');
      await ended;
    }
    if (home) await endTerminals(join(home, 'run'));
    await services?.stop();
  });

  const call = async <T>(gateway: 1 | 2, method: string, request: object): Promise<T> => {
    const url = services.placed(`https://muster.example:${gateway === 1 ? 7433 : 7434}/${method}`);
    const ca = readFileSync(join(services.deploy, 'secrets', 'ca.crt'), 'utf8');
    const token = readFileSync(join(services.deploy, 'state', 'registry-1', 'operator.token'), 'utf8').trim();
    return callOverTls<T>(url, ca, token, request);
  };
  const launch = async (gateway: 1 | 2, title: string) =>
    moment(`${title} is launched`, async () => {
      const request = { prompt: 'echo done', title, workflowId, idempotencyKey: title };
      return call(gateway, 'agent.v1.AgentService/CreateAgent', request).catch(() => undefined);
    });
  const idle = (gateway: 1 | 2, title: string) =>
    moment(`${title} is at rest`, async () => {
      const { agents = [] } = await call<{ agents?: AgentRow[] }>(
        gateway,
        'agent.v1.AgentService/ListAgents',
        {},
      ).catch(() => ({ agents: [] }));
      return agents.some(({ agent }) => agent?.name === title && agent.state === 'AGENT_STATE_IDLE');
    });

  for (const name of names)
    it(`include ${name}, which is healthy by its own check`, async function () {
      const why = whyUnchecked(services.service(name));
      if (why !== undefined) {
        if (this.test) this.test.title += ` (skipped: ${why})`;
        this.skip();
      }
      await services.healthy(name);
    });

  it('run an agent on a host that joins as the README describes, launched at one gateway and shown at the other', async () => {
    const log = openSync(join(services.folder, 'host.log'), 'a');
    execFileSync(muster, ['bus-keys', join(services.deploy, 'secrets'), '--host', 'build-2']);
    const env = { ...process.env, ...hostSettings(services), MUSTER_HOME: home };
    host = spawn(muster, ['host'], { env, stdio: ['ignore', log, log] });
    closeSync(log);
    const request = { name: 'shells', cwd: services.folder, harness: 'shell', provisionEnabled: false };
    const { workflow } = await moment('the host is online', () =>
      call<Created>(1, 'workflow.v1.WorkflowService/CreateWorkflow', request).catch((error: Error) => {
        if (error.message.includes('NO_HOST_AVAILABLE')) return undefined;
        throw error;
      }),
    );
    workflowId = workflow.id;
    await launch(1, 'first');
    await idle(2, 'first');
  });

  for (const name of ended)
    it(`continue without ${name}, and use it again later`, async () => {
      await services.kill(name);
      const gateway = name === 'gateway-1' ? 2 : 1;
      await launch(gateway, `without ${name}`);
      await idle(gateway, `without ${name}`);
      await services.start(name);
      await services.healthy(name);
    });

  inSoak('wait for the database, and continue once it is up', async () => {
    await services.kill('database');
    const unready = async () => (await services.check('gateway-1')).includes('HTTP 503');
    await moment('a gateway is not ready', unready);
    // Restarting a registry does not bring the database back.
    expect(await services.check('registry-1')).to.equal('');
    await services.start('database');
    await services.healthy('gateway-1');
    await launch(2, 'after it');
    await idle(1, 'after it');
  });

  it('list the host and make a backup in a registry’s container', async () => {
    expect(await services.run('registry-1', ['muster', 'hosts'])).to.match(/\bonline\b/i);
    const said = await services.run('registry-1', ['muster', 'backup', '/backups/monday.backup']);
    expect(said).to.include('verified by reading it back');
  });

  it('stop on the engine’s signal', async () => {
    for (const name of names.filter((one) => /^(gateway|registry)-/.test(one)))
      expect(await services.halt(name), name).to.equal(0);
  });

  inSoak('are restored into an empty database as the README describes', async () => {
    await services.emptyDatabase();
    const [first, second] = [1, 2].map((one) => join(services.deploy, 'state', `registry-${one}`)) as [string, string];
    renameSync(first, join(services.deploy, 'state', 'lost'));
    mkdirSync(first, { mode: 0o700 });
    const { uid, gid } = statSync(second);
    chownSync(first, uid, gid);
    const said = await services.run('registry-1', ['muster', 'restore', '/backups/monday.backup']);
    expect(said).to.match(/^Restored \d+ files/);
    execFileSync('cp', ['-p', join(first, 'operator.token'), join(first, 'forge.key'), second]);
    for (const name of ['registry-1', 'registry-2', 'gateway-2']) await services.start(name);
    for (const name of ['registry-1', 'registry-2', 'gateway-2']) await services.healthy(name);
    await idle(2, 'first');
    await idle(2, 'after it');
  });
});
