import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { type Outcome, runInside } from '#test/cli/command-line.ts';
import { startService, type WholeService } from '#test/cli/whole-service.ts';
import { bareEnvironment } from '#test/support/bare-environment.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
/** The lines of its shell snippets, without comments. */
const lines = [...readme.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
  block
    .replaceAll(/ \\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== ''),
);

/** The lines that are not run here, with the place of the tests that run them. */
const elsewhere: Readonly<Record<string, string>> = {
  'npm start': 'test/service/start/npm-start.test.ts',
  'npm test': 'test/run.test.ts',
  'npm install --global ./muster-fleet-muster-0.1.0.tgz': 'test/package/package.test.ts',
  'muster setup': 'test/service/start/setup-command.test.ts',
  'muster doctor': 'test/service/doctor/doctor.test.ts, since it is a program of its own',
  'muster start': 'test/service/start/start.test.ts',
  'muster service install': 'test/service/unit/service-command.test.ts',
  'export PATH="$PWD/bin:$PATH"': 'test/package/package.test.ts',
  'cd ~/src/myproject': 'here, as the folder of each command',
  'muster attach sleep-3-echo-done': 'test/cli/real-service.test.ts, in a terminal',
  'muster attach NAME': 'test/cli/real-service.test.ts, in a terminal',
  'muster open': 'test/page/client/sign-in.soak.test.ts, in a browser',
  'muster ls --watch': 'test/cli/real-service.test.ts, since it never ends',
  'muster watch --bell': 'test/cli/agent/hold-and-runs.soak.test.ts, since it never ends',
  'npm run join -- https://192.0.2.7:7434#JOIN-…': 'test/service/join/network.test.ts, on a second machine',
};

/** What a line is run with: texts that stand for others, input, and the exit code that it has here. */
interface Run {
  readonly with?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly code?: number;
}

describe('the shell snippets of the README', () => {
  const tried = new Set<string>();
  let home: TemporaryFolder;
  let repository: string;
  /** Where commands run: at first in a folder that is no repository. */
  let folder: string;
  let service: WholeService;
  const env = () => ({ MUSTER_HOME: home.path, HOME: home.path, MUSTER_URL: service.url, NO_COLOR: '1' });

  before(async () => {
    home = temporaryFolder('readme');
    folder = join(home.path, 'src');
    repository = join(folder, 'myproject');
    mkdirSync(join(repository, 'src'), { recursive: true });
    mkdirSync(join(home.path, '.secrets'));
    writeFileSync(join(repository, 'src', 'login.ts'), 'one\n');
    writeFileSync(join(repository, 'lines.txt'), 'closed\n');
    for (const file of ['.gitea-token', '.secrets/api-key'])
      writeFileSync(join(home.path, file), 'glx-3f9d2c7b1a\n', { mode: 0o600 });
    const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args]);
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-q', '-m', 'first');
    service = await startService(home.path, '0', 'warn', folder);
  });
  after(async () => {
    await service.end();
    home.remove();
  });

  const muster = (argv: readonly string[], stdin = ''): Promise<Outcome> =>
    runInside(argv, { env: env(), cwd: folder, stdin });
  const rows = async () =>
    (JSON.parse((await muster(['ls', '--all', '-o', 'json'])).out) as AgentRow[]).map(({ agent }) => ({
      id: agent?.id ?? '',
      name: agent?.name ?? '',
      state: agent?.state ?? '',
    }));
  const becomes = (name: string, state: string) =>
    moment(`${name} to be ${state}`, async () =>
      (await rows()).some((row) => row.name === name && row.state === `AGENT_STATE_${state}`),
    );

  /** Marks a line as run, and fills its placeholders. */
  function filled(line: string, given: Readonly<Record<string, string>> = {}): string {
    expect(lines, 'the README has this line').to.include(line);
    tried.add(line);
    return Object.entries(given).reduce((text, [word, value]) => text.replaceAll(word, value), line);
  }

  /** Runs a line as a shell would: the words that it makes of it are those of the command. */
  async function run(line: string, { with: given, stdin = '', code = 0 }: Run = {}): Promise<string> {
    const script = `muster() { printf '%s\\0' "$@"; }\npass() { :; }\n${filled(line, given)}`;
    const shell = { env: { ...bareEnvironment(), HOME: home.path }, cwd: folder };
    const { stdout } = await promisify(execFile)('bash', ['-c', script], shell);
    const done = await muster(stdout.split('\0').slice(0, -1), stdin);
    expect(done.code, `${line}: ${done.out}${done.err}`).to.equal(code);
    return done.out;
  }

  it('take the first ten minutes', async () => {
    expect(await run('muster new --harness shell "sleep 3; echo done"')).to.include('sleep-3-echo-done');
    expect(await run('muster ls')).to.include('sleep-3-echo-done');
  });

  it('create a workflow, and launch into it', async () => {
    folder = repository;
    const stands = { claude: 'shell', 'npm ci': 'true' };
    await run('muster workflow create myproject --harness claude --setup "npm ci"', { with: stands });
    const work = "seq 1 20 > src/login.ts; read -p 'Go on? [y/N] ' a";
    await run('muster new "Find out why the login test is flaky and fix it."', {
      with: { 'Find out why the login test is flaky and fix it.': work },
    });
    const [worker] = (await rows()).filter(({ name }) => name !== 'sleep-3-echo-done');
    await muster(['rename', worker?.name ?? '', 'worker']);
    await becomes('worker', 'WAITING');
  });

  it('explain, answer, prompt and interrupt an agent', async () => {
    const NAME = 'worker';
    expect(await run('muster why NAME', { with: { NAME } })).to.include('WAITING');
    const shown = await run('muster answer NAME', { with: { NAME } });
    const [, ID = ''] = /--screen (\S+)/.exec(shown) ?? /\b([0-9a-f]{12,})\b/.exec(shown) ?? [];
    await run('muster answer NAME --screen ID ANSWER', { with: { NAME, ID, ANSWER: 'y' } });
    await becomes('worker', 'IDLE');
    await run('muster prompt NAME "Now write the test."', { with: { NAME, 'Now write the test.': 'sleep 600' } });
    await becomes('worker', 'THINKING');
    await run('muster interrupt NAME', { with: { NAME } });
    await becomes('worker', 'IDLE');
  });

  it('send and list mail, and wait for the doorbell', async () => {
    const NAME = 'worker';
    await run('muster mail send NAME -s "Rebase" "main has moved: rebase before you push."', { with: { NAME } });
    expect(await run('muster mail ls NAME', { with: { NAME } })).to.include('Rebase');
    await run('muster bell wait NAME', { with: { NAME } });
  });

  it('review an agent’s work', async () => {
    const NAME = 'worker';
    await run('muster review start NAME', { with: { NAME } });
    expect(await run('muster review diff NAME', { with: { NAME } })).to.include('+14');
    const comment = 'muster review comment NAME src/login.ts:12-14 "Close the handle." --suggest @lines.txt';
    await run(comment, { with: { NAME } });
    await run('muster review release NAME --verdict changes -m "One leak."', { with: { NAME } });
    await run('muster review threads NAME --open', { with: { NAME } });
    const { out } = await muster(['review', 'threads', NAME, '-o', 'json']);
    const [, THREAD = ''] = /"id":\s*"([^"]+)"/.exec(out) ?? [];
    await run('muster review resolve THREAD', { with: { THREAD } });
  });

  it('take an agent over, wait, and read results', async () => {
    const NAME = 'worker';
    await run('muster hold NAME', { with: { NAME } });
    await run('muster unhold NAME', { with: { NAME } });
    await run(`muster notify --command 'notify-send "$MUSTER_TEXT"' --on waiting failed`, {
      with: { 'notify-send': 'true' },
    });
    const reports = { 'Fix the flaky test': "muster report-result '312 tests pass'" };
    expect(await run('muster new "Fix the flaky test" --wait --result', { with: reports })).to.include(
      '312 tests pass',
    );
    const reporter = (await rows()).find(({ name }) => name.startsWith('muster-report'))?.name ?? '';
    await run('muster wait NAME… --for finished --timeout 2h', { with: { 'NAME…': reporter } });
    expect(await run('muster result NAME', { with: { NAME: reporter } })).to.include('312 tests pass');
    await run('muster summary --since 10h');
  });

  it('isolate and limit the agents of a workflow', async () => {
    const NAME = 'myproject';
    await run('muster workflow edit NAME --isolation sandbox', { with: { NAME } });
    await run('muster why AGENT', { with: { AGENT: 'worker' } });
    await run('muster workflow allow NAME registry.npmjs.org', { with: { NAME } });
    await run('muster workflow edit NAME --memory-mib 4096', { with: { NAME } });
    await muster(['workflow', 'edit', NAME, '--isolation', 'none', '--clear', 'grants']);
  });

  it('name a second machine, and a lost one', async () => {
    expect(await run('muster host invite --name build-2')).to.match(/^muster join http/);
    await run('muster new --host build-2 "say hello"', { code: 4 });
    await run('muster move NAME --host build-2', { with: { NAME: 'worker' }, code: 6 });
    await run('muster host remove build-2', { code: 4 });
    await run('muster delete --abandon NAME', { with: { NAME: 'worker' }, code: 6 });
    const [host] = JSON.parse((await muster(['hosts', '-o', 'json'])).out) as { name: string }[];
    await run('muster hosts --forget HOST', { with: { HOST: host?.name ?? '' }, code: 6 });
  });

  it('connect forges, and follow pull requests', async () => {
    await run('muster forge add github.com --command gh auth token');
    await run('muster forge add git.example.org --kind gitea --file ~/.gitea-token');
    await run('muster forge check', { code: 1 });
    await run('muster forge prs git@github.com:owner/name.git', { code: 6 });
    await run('muster prs [NAME]', { with: { '[NAME]': 'worker' } });
    await run('muster prs --sweep git@github.com:owner/name.git');
    await run('muster workflow confirm NAME [REMOTE]', { with: { NAME: 'myproject', '[REMOTE]': '' } });
    const mail = 'muster workflow edit NAME --mail-on-pull-request failing-checks --mail-on-pull-request conflict';
    await run(mail, { with: { NAME: 'myproject' } });
  });

  it('schedule launches', async () => {
    await run(`muster schedule next '0 9 * * MON-FRI' --tz Europe/Paris`);
    const create = `muster schedule create triage '0 9 * * MON-FRI' 'Triage new issues' --timezone Europe/Paris --overlap wait`;
    await run(create, { with: { 'Triage new issues': 'true' } });
    await run('muster schedule fire triage');
    expect(await run('muster schedule runs triage')).to.match(/^1 /m);
  });

  it('call over HTTP', async () => {
    const [token = '', curl = ''] = lines.filter((line) => /^(?:TOKEN=|curl )/.test(line));
    const script = [filled(token), filled(curl, { 'http://127.0.0.1:7433': service.url })].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { ...bareEnvironment(), ...env() } });
    expect(JSON.parse(stdout)).to.have.property('agents').with.length.above(1);
  });

  it('let an orchestrator launch, and give agents profiles', async () => {
    for (const name of ['lead', 'web']) await muster(['workflow', 'create', name, '--harness', 'shell']);
    await run('muster workflow edit lead --pre-approved-tools create_agent --pre-approved-tools prompt_agent');
    const launches =
      'muster workflow edit lead --agents-may-launch-harnesses codex --agents-may-launch-flags "--model opus"';
    await run(launches);
    const profile =
      'muster profile create work --account work@example.org --home ~/.claude-work --secret NPM_TOKEN=env:WORK_NPM_TOKEN ' +
      '--secret API_KEY=file:~/.secrets/api-key --secret "SSH_PASS=command:op read op://team/ssh/pass"';
    await run(profile);
    await run('pass show db | muster profile edit work --secret DB_PASSWORD=-', { stdin: 's3cret\n' });
    await run('muster workflow edit web --profile work');
  });

  it('archive, restore and delete an agent, and find what a forced delete keeps', async () => {
    const { id: AGENT_ID = '' } = (await rows()).find(({ name }) => name === 'worker') ?? {};
    const NAME = 'worker';
    await run('muster archive NAME', { with: { NAME } });
    await run('muster restore NAME', { with: { NAME } });
    await becomes('worker', 'IDLE');
    await run('muster delete NAME', { with: { NAME }, code: 6 });
    await muster(['delete', '--force', NAME]);
    const git = (line: string) =>
      execFileSync('bash', ['-c', filled(line, { AGENT_ID })], { cwd: repository, encoding: 'utf8' });
    expect(git('git for-each-ref refs/muster/kept')).to.include(AGENT_ID);
    git('git update-ref -d refs/muster/kept/AGENT_ID');
  });

  it('are all run, here or in other tests', () => {
    const known = new Set([...tried, ...Object.keys(elsewhere)]);
    expect(lines.filter((line) => !known.has(line))).to.deep.equal([]);
    expect(Object.keys(elsewhere).filter((line) => !lines.includes(line))).to.deep.equal([]);
    const files = Object.values(elsewhere).flatMap((place) => /^test\/[\w/-]+\.test\.ts/.exec(place) ?? []);
    expect(files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).to.deep.equal([]);
  });
});
