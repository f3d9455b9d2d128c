import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { RunLog } from '#contract/run-log.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type Outcome, runInside } from '../command-line.ts';
import { startService, type WholeService } from '../whole-service.ts';

describe('held agents, and scripts that run for agents', () => {
  let home: TemporaryFolder;
  let project: string;
  let service: WholeService;
  const muster = (argv: readonly string[], tty = false): Promise<Outcome> =>
    runInside(argv, { env: { MUSTER_HOME: home.path, MUSTER_URL: service.url, NO_COLOR: '1' }, tty });
  const json = async <T>(...argv: string[]) => JSON.parse((await muster([...argv, '-o', 'json'])).out) as T;
  const agent = async (name: string) => (await json<AgentRow>('show', name)).agent as Agent;
  const runs = (name: string) => json<RunLog[]>('runs', name);

  before(async () => {
    home = temporaryFolder('held');
    project = join(home.path, 'project');
    mkdirSync(project);
    service = await startService(home.path);
    const where = ['--cwd', project, '--no-provision-enabled', '--harness', 'shell'];
    const onIdle = `echo "$MUSTER_AGENT_NAME $MUSTER_AGENT_STATE"; muster ls -o json > listed.json; echo >> rested; sed -n 1p rested >/dev/null; test -e well`;
    await muster(['workflow', 'create', 'play', ...where, '--on-idle', onIdle]);
    await muster(['workflow', 'create', 'plain', ...where]);
  });
  after(async () => {
    await service.end();
    home.remove();
  });

  it('run a script as the agent when it comes to rest, and show its failure until it is acknowledged', async () => {
    await muster(['new', 'echo done', '-w', 'play', '--title', 'rester']);
    await moment('a failed run', async () => (await agent('rester')).failedRun === true);
    const [run] = await runs('rester');
    expect(run).to.include({ script: 'RUN_SCRIPT_ON_IDLE', state: 'RUN_STATE_FAILED', reason: 'ended with 1' });
    expect(run?.output).to.include('rester AGENT_STATE_IDLE');
    const listed = JSON.parse(readFileSync(join(project, 'listed.json'), 'utf8')) as AgentRow[];
    expect(listed.map(({ agent: one }) => one?.name)).to.include('rester');
    expect((await muster(['ls'], true)).out).to.include('a script failed');
    const id = String(run?.id);
    expect((await muster(['run', id], true)).out).to.match(
      /state +failed: ended with 1: rester AGENT_STATE_IDLE.*\n(.*\n)*.*rester AGENT_STATE_IDLE/,
    );
    expect((await muster(['runs', '--failed'], true)).out).to.match(
      /rester +on idle +failed .* ended with 1: rester AGENT_STATE_IDLE/,
    );
    expect((await muster(['run', id, '--ack'])).code).to.equal(0);
    expect(await agent('rester')).not.to.have.property('failedRun');
    expect((await muster(['run', 'one'])).code).to.equal(2);
    expect((await muster(['run', '999999'])).code).to.equal(4);
  });

  it('end the turn of an agent that is taken over, and type nothing until it is released', async () => {
    await muster(['new', 'sleep 600', '-w', 'plain', '--title', 'sleeper']);
    await moment('the agent to be at work', async () => (await agent('sleeper')).state === 'AGENT_STATE_THINKING');
    expect((await muster(['hold', 'sleeper'], true)).out).to.equal(
      'sleeper is held: muster leaves it alone until muster unhold sleeper\n',
    );
    await moment('its turn to end', async () => (await agent('sleeper')).state === 'AGENT_STATE_IDLE');
    expect((await agent('sleeper')).heldAt).to.be.a('string');
    expect((await muster(['ls'], true)).out).to.match(/sleeper +IDLE.*held/);
    const prompt = ['prompt', 'sleeper', `touch ${join(project, 'typed')}`];
    const refused = await muster(prompt);
    expect(refused.code).to.equal(6);
    expect(refused.err).to.include('muster unhold sleeper gives it back');
    for (const verb of ['archive', 'delete']) expect((await muster([verb, 'sleeper'])).code).to.equal(6);
    expect(existsSync(join(project, 'typed'))).to.equal(false);
    expect((await muster(['unhold', 'sleeper'])).code).to.equal(0);
    expect((await muster(prompt)).code).to.equal(0);
    await moment('the prompt to be taken', () => existsSync(join(project, 'typed')));
  });

  inSoak('notify a watching person with a bell, and with a command of theirs', async () => {
    const file = join(home.path, 'noticed');
    const tell = `echo "$MUSTER_TEXT" >> ${file}`;
    expect((await muster(['notify'], true)).out).to.match(/^Notifications are off/);
    expect((await muster(['notify', '--command', tell, '--on', 'finished'], true)).out).to.match(
      /notified of +finished/,
    );
    expect((await muster(['notify', '--test'], true)).out).to.equal('command: arrived\n');
    const stop = new AbortController();
    let bells = '';
    const watching = runInside(['watch', '--bell'], {
      env: { MUSTER_HOME: home.path, MUSTER_URL: service.url, NO_COLOR: '1' },
      tty: true,
      signal: stop.signal,
      onOut: (out) => {
        bells = out;
      },
    });
    await muster(['new', 'sleep 1; echo over', '-w', 'plain', '--title', 'runner']);
    await moment('the line', () => /runner has finished/.test(bells));
    stop.abort();
    const { out, err } = await watching;
    expect(out).to.match(/^\d\d:\d\d:\d\d {2}runner has finished/m);
    expect(err).to.include('\u0007');
    await moment('the command', () => existsSync(file) && readFileSync(file, 'utf8').includes('runner has finished'));
    expect((await muster(['notify', '--webhook', 'nowhere'])).code).to.equal(2);
    expect((await muster(['notify', '--off'], true)).out).to.match(/^Notifications are off/);
  });
});
