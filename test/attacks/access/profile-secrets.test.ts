import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { runInside } from '#test/cli/command-line.ts';
import { runService, type WholeService } from '#test/cli/whole-service.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import { childrenOf, holdersOf, pathsWith } from './secret-search.ts';
import { collectTraces, type Tap, tapBus } from './wire-tap.ts';

/** An attacker who searches a running installation for the secrets of its agents' profile. */
describe('the secrets of a profile', function () {
  this.timeout(180_000);
  const secrets = {
    FROM_ENV: 'planted-env-4f1d90',
    FROM_FILE: 'planted-file-$HOME-\'"8c2e71',
    FROM_COMMAND: 'planted-command-aa07c3',
    STORED: 'planted-value-55be1f',
  };
  const everySecret = Object.values(secrets);
  /** As it is, in JSON, and in base64. */
  const wireForms = everySecret.flatMap((one) => [
    one,
    JSON.stringify(one).slice(1, -1),
    Buffer.from(one).toString('base64').replace(/=+$/, ''),
  ]);
  const busUrlOf = (pid: number) => /\0MUSTER_BUS_URL=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1];
  let home: TemporaryFolder;
  let outside: TemporaryFolder;
  let service: WholeService;
  let traces: Tap & { readonly url: string };
  let bus: Tap;
  const muster = (argv: readonly string[], stdin = '') =>
    runInside(argv, { env: { MUSTER_HOME: home.path, MUSTER_URL: service.url, NO_COLOR: '1' }, stdin });
  const has = (name: string) => readdirSync(outside.path).includes(name);
  const wrote = (name: string) => moment(name, () => has(name));
  const at = (name: string) => join(outside.path, name);
  const write = (name: string, text: string, mode: number) => writeFileSync(at(name), text, { mode });
  /** A line that an agent or a script runs: it proves that it has every secret, without showing one. */
  const proves = (name: string) =>
    `printf %s "$FROM_ENV$FROM_FILE$FROM_COMMAND$STORED" | sha256sum > ${at(`${name}.part`)}; mv ${at(`${name}.part`)} ${at(name)}`;
  const digest = createHash('sha256').update(everySecret.join('')).digest('hex');
  const masked = (secret: string) => '*'.repeat(secret.length);
  const proved = (name: string) => readFileSync(at(name), 'utf8').split(' ')[0];

  before(async function () {
    if (process.platform !== 'linux') this.skip();
    home = temporaryFolder('profile-home');
    outside = temporaryFolder('profile-sources');
    write('key', secrets.FROM_FILE, 0o600);
    write('printed', `${secrets.FROM_COMMAND}\n`, 0o600);
    // A source that can be made to wait, so that a test can look during a launch.
    write(
      'source',
      `#!/bin/sh\ntouch ${at('asked')}\nwhile [ -e ${at('wait')} ]; do sleep 0.02; done\ncat ${at('printed')}\n`,
      0o700,
    );
    process.env['PLANTED_SOURCE'] = secrets.FROM_ENV;
    traces = await collectTraces();
    service = await runService(
      ['start'],
      { MUSTER_HOME: home.path, MUSTER_PORT: '0', MUSTER_LOG: 'warn', OTEL_EXPORTER_OTLP_ENDPOINT: traces.url },
      /ready at (\S+)/,
    );
    bus = await tapBus(home.path, childrenOf(service.pid).map(busUrlOf).find(Boolean) ?? '');
    const sources = [
      'FROM_ENV=env:PLANTED_SOURCE',
      `FROM_FILE=file:${at('key')}`,
      `FROM_COMMAND=command:${at('source')}`,
      'STORED=-',
    ];
    const made = await muster(
      ['profile', 'create', 'work', '--account', 'work@example.org', ...sources.flatMap((one) => ['--secret', one])],
      secrets.STORED,
    );
    expect(made.err.replace(/^reading.*\n/, '')).to.equal('');
    const scripts = ['--on-idle', proves('script')];
    await muster([
      'workflow',
      'create',
      'plain',
      '--cwd',
      outside.path,
      '--harness',
      'shell',
      '--profile',
      'work',
      ...scripts,
    ]);
  });
  after(async () => {
    delete process.env['PLANTED_SOURCE'];
    await bus.close();
    await service.end();
    await traces.close();
    home.remove();
    outside.remove();
  });

  /**
   * Where secrets are: files of the installation, arguments and environments of processes outside the panes, messages on
   * the bus, and traces.
   */
  const found = () => [
    ...[...bus.heard, ...traces.heard].filter((text) => wireForms.some((form) => text.includes(form))),
    ...pathsWith(home.path, everySecret),
    ...holdersOf('cmdline', everySecret),
    // The source in the host's environment is that of every process of the installation: a person put it there.
    ...holdersOf('environ', everySecret.slice(1)),
  ];

  /** A script has the secrets in its environment until it ends; agents that a host finds again may run theirs again. */
  const scriptsEnded = () => moment('scripts to end', () => holdersOf('environ', everySecret.slice(1)).length === 0);

  it('reach the agent and its scripts, and exist nowhere else, before or while it runs', async () => {
    expect(found()).to.deep.equal([]);
    await muster(['new', proves('pane'), '-w', 'plain', '--title', 'runs']);
    await wrote('pane');
    await wrote('script');
    await scriptsEnded();
    expect([proved('pane'), proved('script')]).to.deep.equal([digest, digest]);
    expect(found()).to.deep.equal([]);
    const listed = await muster(['profile', 'list', '-o', 'json']);
    expect(everySecret.filter((one) => listed.out.includes(one))).to.deep.equal([]);
  });

  it('that an agent or a script prints are on the live screen only, and masked in every record', async () => {
    const shows = 'echo "$STORED" "$FROM_FILE"; exit 3';
    await muster(['workflow', 'edit', 'plain', '--on-idle', shows]);
    await muster(['new', 'echo "$FROM_COMMAND"', '-w', 'plain', '--title', 'finishes']);
    await muster([
      'new',
      'echo "shows $STORED here"; read -p "is $FROM_FILE right? " x',
      '-w',
      'plain',
      '--title',
      'asks',
    ]);
    const rows = async () => JSON.parse((await muster(['ls', '-o', 'json'])).out) as AgentRow[];
    const waits = ({ agent }: AgentRow) => agent?.name === 'asks' && agent.state === 'AGENT_STATE_WAITING';
    const { agent = {} } = await moment('the question', async () => (await rows()).find(waits));
    expect(agent.waitingFor).to.match(/^is \*+ right\?/);
    const failed = ({ agent }: AgentRow) => agent?.name === 'finishes' && agent.failedRun === true;
    const run = await moment('the script to fail', async () => (await rows()).find(failed));
    const answers = [
      await muster(['read', 'asks']),
      await muster(['why', 'asks', '-o', 'json']),
      await muster(['run', String(run.agent?.failedRunLog)]),
      await muster(['facts', '-o', 'json']),
    ].map(({ out }) => out);
    expect(answers[0]).to.include(`shows ${masked(secrets.STORED)} here`);
    expect(answers[2]).to.include(`${masked(secrets.STORED)} ${masked(secrets.FROM_FILE)}`);
    expect(everySecret.filter((one) => answers.join().includes(one))).to.deep.equal([]);
    const socket = socketOf(socketFolder(join(home.path, 'run')), agent.id ?? '');
    const live = execFileSync('tmux', ['-S', socket, 'capture-pane', '-p', '-t', agent.paneId ?? ''], {
      encoding: 'utf8',
    });
    expect(live).to.include(`shows ${secrets.STORED} here`);
    expect(found()).to.deep.equal([]);
    const given = (text: string) => text.startsWith('rpc.profile.v1.ProfileService.CreateProfile');
    expect(bus.heard.filter(given), 'what the bus carries is heard').to.have.length(1);
    await moment('traces of launches', () => traces.heard.some((text) => text.includes('CreateAgent')));
    expect(found()).to.deep.equal([]);
    await muster(['workflow', 'edit', 'plain', '--clear', 'on-idle']);
  });

  it('are nowhere after a kill -9 of the host during a launch, which the next host completes', async () => {
    write('wait', '', 0o600);
    rmSync(at('asked'), { force: true });
    await muster(['new', proves('again'), '-w', 'plain', '--title', 'killed']);
    await wrote('asked');
    const host = await moment('the host', () =>
      childrenOf(service.pid).find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('host')),
    );
    process.kill(host, 'SIGKILL');
    expect(found()).to.deep.equal([]);
    rmSync(at('wait'));
    await wrote('again');
    expect(proved('again')).to.equal(digest);
    await scriptsEnded();
    expect(found()).to.deep.equal([]);
  });

  it('that cannot be read fail the launch at a named step, with a remedy, and can be retried', async () => {
    renameSync(at('key'), at('key.away'));
    await muster(['new', proves('later'), '-w', 'plain', '--title', 'lacks']);
    const row = await moment('the launch to fail', async () => {
      const rows = JSON.parse((await muster(['ls', '-o', 'json'])).out) as AgentRow[];
      return rows.find(({ agent }) => agent?.name === 'lacks' && agent.state === 'AGENT_STATE_FAILED_TO_CREATE');
    });
    expect(row.agent?.stateReason).to.match(
      /^opening: the secret "FROM_FILE" of the profile "work" cannot be read: .*key/,
    );
    renameSync(at('key.away'), at('key'));
    await muster(['retry', 'lacks']);
    await wrote('later');
    expect(proved('later')).to.equal(digest);
  });
});
