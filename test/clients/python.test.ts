import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { writePythonClient } from '#gateway/python-client.ts';
import { type Instance, startInstance } from '#test/channels/instance.ts';
import { startService, type WholeService } from '#test/cli/whole-service.ts';
import { bareEnvironment } from '#test/support/bare-environment.ts';
import { moment } from '#test/support/moment.ts';
import { Relay } from '#test/support/relay.ts';
import { inSoak } from '#test/support/soak.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const client = join(root, 'clients', 'python');
const examples = join(client, 'examples');
const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'], { stdio: 'ignore' }).status === 0;

describe('the Python client', () => {
  it('has the messages, services and reasons of this contract, as buf and the plugin write them', () => {
    const made = temporaryFolder('python-api');
    try {
      writePythonClient(join(root, 'proto'), made.path);
      const api = join(client, 'muster_fleet', 'api');
      const modules = readdirSync(api).filter((name) => name.endsWith('.py'));
      expect(modules.sort()).to.deep.equal(readdirSync(made.path).sort());
      const textOf = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');
      const stale = modules.filter((name) => textOf(made.path, name) !== textOf(api, name));
      expect(stale, 'run npm run proto').to.deep.equal([]);
    } finally {
      made.remove();
    }
  });

  describe('run by python3', () => {
    let place: TemporaryFolder;
    let environment: NodeJS.ProcessEnv;
    let instance: Instance;
    let relay: Relay;
    before(async function () {
      if (!hasPython) return this.skip();
      place = temporaryFolder('python');
      // Python runs the wheel as it is: what is not in it is missing.
      await run('python3', ['-c', `import build_wheel; build_wheel.build_wheel(${JSON.stringify(place.path)})`], {
        cwd: client,
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
      });
      const [wheel = ''] = readdirSync(place.path);
      environment = { ...bareEnvironment(), PYTHONPATH: join(place.path, wheel), PYTHONDONTWRITEBYTECODE: '1' };
      relay = await Relay.open(() => instance.port);
      instance = await startInstance({ baseUrl: `http://127.0.0.1:${relay.port}` });
    });
    after(async () => {
      await relay?.close();
      await instance?.close();
      place?.remove();
    });
    const env = () => ({
      ...environment,
      SERVICE_BASE_URL: `http://127.0.0.1:${relay.port}`,
      SERVICE_TOKEN: instance.fixture.operatorToken,
    });

    it('matches refusals, their fields, and finds nobody where nothing listens', async () => {
      const { stdout } = await run('python3', [join(examples, 'match_refusals.py')], { env: env() });
      expect(stdout).to.match(/^AGENT_NOT_FOUND \(not_found\): .*\nINVALID_FIELD: .*mark/);
      const asking = `
from muster_fleet import Muster, MusterError, Address
from muster_fleet.api import agent
for url, token in (("http://127.0.0.1:9", "any"), (${JSON.stringify(instance.url)}, "wrong")):
    muster = Muster(Address(url, token))
    for call in (lambda: muster.agents.list_agents(agent.ListAgentsRequest()), lambda: next(muster.agents.watch_agents(agent.WatchAgentsRequest()))):
        try:
            call()
        except MusterError as error:
            print(error.code, error.is_unanswered, error.may_retry)
`;
      expect((await run('python3', ['-c', asking], { env: env() })).stdout).to.equal(
        `${'unavailable True True\n'.repeat(2)}${'unauthenticated False False\n'.repeat(2)}`,
      );
    });

    for (const example of ['follow_agents.py', 'follow_async.py'])
      it(`resumes a watch from its cursor after a cut: ${example}`, async () => {
        const following = spawn('python3', [join(examples, example)], { env: env() });
        let [out, err] = ['', ''];
        following.stdout.on('data', (text: Buffer) => {
          out += text.toString();
        });
        following.stderr.on('data', (text: Buffer) => {
          err += text.toString();
        });
        const ended = once(following, 'exit');
        await instance.fixture.create({ provisionEnabled: false, title: `first-${example}` });
        await moment('the first agent', () => out.includes(`first-${example} SETTING_UP\n`));
        relay.cut();
        await instance.fixture.create({ provisionEnabled: false, title: `during-${example}` });
        relay.mend();
        await moment('the agent that was created meanwhile', () => out.includes(`during-${example} SETTING_UP\n`));
        expect(err)
          .to.match(/cannot be reached|broke off/)
          .and.to.match(/muster is back\n$/);
        expect(out.split(`first-${example}`)).to.have.length(2);
        following.kill('SIGINT');
        expect(await ended).to.deep.equal([0, null]);
      });

    inSoak('launches an agent of a real service and waits for it', async () => {
      const home = join(place.path, 'state');
      const project = join(place.path, 'project');
      mkdirSync(project);
      const service: WholeService = await startService(home);
      try {
        const settings = { ...environment, MUSTER_HOME: home, MUSTER_URL: service.url };
        const { stdout } = await run('python3', [join(examples, 'launch_and_wait.py'), 'echo hello; echo bye'], {
          cwd: project,
          env: settings,
        });
        expect(stdout).to.match(/^\S+: FINISHED\n(?:.*\n)*hello\nbye/);
      } finally {
        await service.end();
      }
    });
  });

  it('has every example in a test', () => {
    const names = readdirSync(examples).filter((name) => name.endsWith('.py'));
    const test = readFileSync(fileURLToPath(import.meta.url), 'utf8');
    expect(names.filter((name) => !test.includes(`'${name}'`))).to.deep.equal([]);
    expect(existsSync(join(client, 'muster_fleet', 'py.typed'))).to.equal(true);
  });
});
