import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startService, type WholeService } from '#test/cli/whole-service.ts';
import { bareEnvironment } from '#test/support/bare-environment.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const client = join(root, 'clients', 'typescript');
const examples = readdirSync(join(client, 'examples')).sort();

describe('the package of the TypeScript client', function () {
  this.timeout(300_000);
  let home: TemporaryFolder;
  let project: string;
  let service: WholeService;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    home = temporaryFolder('client');
    project = join(home.path, 'project');
    mkdirSync(project);
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', home.path], { cwd: client });
    const [packed] = Object.values(
      JSON.parse(stdout.slice(stdout.search(/^[[{]/m))) as Record<string, { filename: string }>,
    );
    writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}');
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', ...flags, join(home.path, packed?.filename ?? '')], { cwd: project });
    cpSync(join(client, 'examples'), project, { recursive: true });
    service = await startService(join(home.path, 'state'));
    env = { ...bareEnvironment(), MUSTER_HOME: join(home.path, 'state'), MUSTER_URL: service.url };
  });
  after(async () => {
    await service?.end();
    home?.remove();
  });
  const example = (name: string, ...args: string[]) => run(process.execPath, [name, ...args], { cwd: project, env });

  it('has types for a project of its own', async () => {
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')];
    const strict = ['--strict', '--noEmit', '--target', 'es2024', '--module', 'nodenext'];
    await run(join(root, 'node_modules', '.bin', 'tsc'), [...strict, ...types, ...examples], { cwd: project });
  });

  it('launches an agent and waits for it, and follows agents meanwhile', async () => {
    const following = spawn(process.execPath, ['follow-agents.ts'], { cwd: project, env });
    let followed = '';
    following.stdout.on('data', (text: Buffer) => (followed += text.toString()));
    const ended = once(following, 'exit');
    const { stdout } = await example('launch-and-wait.ts', 'echo hello; echo bye');
    expect(stdout).to.match(/^\S+: FINISHED\n(?:.*\n)*hello\nbye/);
    await moment('the agent’s end to be followed', () => / IDLE\n/.test(followed));
    following.kill('SIGINT');
    expect(await ended).to.deep.equal([0, null]);
  });

  it('matches refusals', async () => {
    expect((await example('match-refusals.ts')).stdout).to.match(/^AGENT_NOT_FOUND \(not_found\): /);
  });

  it('has every example in a test', () => {
    expect(examples).to.deep.equal(['follow-agents.ts', 'launch-and-wait.ts', 'match-refusals.ts']);
  });
});
