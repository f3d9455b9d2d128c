import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { freePort } from '#test/support/free-port.ts';
import { hasSandbox } from '#test/support/has-sandbox.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import { attacks } from './attacks.ts';
import { IsolatedAgents } from './isolated-agents.ts';
import { limitsFolderOf, recordOf, testLimits } from './limits.ts';

(process.platform === 'linux' ? describe : describe.skip)('a new installation', () => {
  let agents: IsolatedAgents;
  before(async () => {
    // As a person has it: workflows that do not say run in a sandbox.
    agents = new IsolatedAgents([], { MUSTER_ISOLATION: '' });
    mkdirSync(agents.at('engine'));
    writeFileSync(agents.at('engine', 'docker.sock'), '');
    await agents.prepare('--setup', 'id > ~/setup-ran; ls "$HOME/.ssh"; true');
  });
  after(async () => {
    const limits = limitsFolderOf(agents);
    try {
      await agents.end();
      const left = [limits, recordOf(agents)].filter((path) => path !== undefined && existsSync(path));
      expect(left, 'what is left of limits').to.deep.equal([]);
    } finally {
      agents.remove();
    }
  });

  testSandbox(() => agents);
  testLimits(() => agents);
});

/** Tests agents in a sandbox, on a service that runs. */
function testSandbox(agentsOf: () => IsolatedAgents): void {
  (hasSandbox ? describe : describe.skip)('an agent in a sandbox', () => {
    let agents: IsolatedAgents;
    const inPane: IsolatedAgents['inPane'] = (...args) => agents.inPane(...args);
    const muster: IsolatedAgents['muster'] = (...args) => agents.muster(...args);
    before(async () => {
      agents = agentsOf();
      await agents.launch(['bystander', 'attacker']);
    });

    it('is what new workflows get, as the greeting says, unless their directory holds the home', async () => {
      await moment('the greeting', () => agents.service.told().includes('Agents of new workflows run in a sandbox'));
      expect(await muster('workflow', 'show', 'walled')).to.match(/^isolation +sandbox$/m);
      expect(await muster('workflow', 'create', 'around', '--cwd', agents.at('person'))).to.include('created around');
      expect(await muster('workflow', 'show', 'around')).not.to.match(/^isolation/m);
    });

    it('is not what a workflow gets whose variables keep a sandbox from holding', async () => {
      const isolationWith = async (name: string, ...options: string[]) => {
        await muster('workflow', 'create', name, '--cwd', agents.at('other'), '--harness', 'shell', ...options);
        return /^isolation +(.*)$/m.exec(await muster('workflow', 'show', name))?.[1];
      };
      expect(await isolationWith('shows', '--env', `SSL_CERT_FILE=${agents.at('state', 'operator.token')}`)).to.equal(
        undefined,
      );
      expect(await isolationWith('plain')).to.equal('sandbox');
      const left = readdirSync(agents.at('state', 'sandboxes')).filter((name) => name.startsWith('trial'));
      expect(left).to.deep.equal([]);
    });

    it('is refused every attack by the kernel or the filter', async () => {
      expect(await agents.unrefused('attacker', 'bystander')).to.deep.equal([]);
      expect(agents.git('-C', agents.at('repository'), 'status', '--porcelain')).to.equal('');
      expect(existsSync(agents.at('repository', '.git', 'hooks', 'post-checkout'))).to.equal(false);
    });

    it('does its work: commits on its branch, pushes to a granted remote, and calls muster', async () => {
      const port = await freePort();
      const options = ['--export-all', '--enable=receive-pack', `--base-path=${agents.folder.path}`];
      const daemon = spawn('git', ['daemon', `--port=${port}`, '--listen=127.0.0.1', ...options], { stdio: 'ignore' });
      try {
        await muster('workflow', 'edit', 'walled', '--allow-port', String(port));
        await agents.launch(['worker']);
        const told = await inPane(
          'worker',
          `echo b > b.txt; git add b.txt; git commit -qm second && git log -1 --format='%an %s'
git push -q git://127.0.0.1:${port}/remote.git HEAD:refs/heads/done && echo pushed
muster whoami 2>/dev/null || muster mail ls >/dev/null && echo called
cat ~/setup-ran | cut -c1-4; env | grep -c SSH_AUTH_SOCK`,
        );
        expect(told).to.include('Ada second').and.to.include('pushed').and.to.include('called').and.to.include('uid=');
        expect(told.trim().split('\n').at(-1)).to.equal('0');
        expect(agents.git('--git-dir', agents.at('remote.git'), 'log', '-1', '--format=%s', 'done')).to.equal(
          'second\n',
        );
        expect((await agents.row('worker')).branch).to.match(/^muster\/[a-z0-9]{8}\/worker-/);
      } finally {
        daemon.kill();
      }
    });

    it('shows what it was refused, and reaches it once a person allows it', async () => {
      await inPane('attacker', 'curl -sS -m 5 https://wanted.example/');
      await moment('the refusal on the row', async () =>
        (await agents.row('attacker')).refusedConnections?.includes('wanted.example:443'),
      );
      expect(await muster('why', 'attacker')).to.include('muster workflow allow');
      expect(await muster('facts')).to.include('wanted.example');
      await muster('workflow', 'allow', 'walled', 'wanted.example');
      await moment(
        'the refusal to leave the row',
        async () => !(await agents.row('attacker')).refusedConnections?.includes('wanted.example:443'),
      );
      // Nothing answers to that name, but the filter lets it through.
      await moment(
        'the filter to follow',
        async () => !(await inPane('attacker', 'curl -sS -m 5 https://wanted.example/')).includes('response 403'),
      );
    });

    inSoak('keeps its home, and its way to muster, over a restart of the service and a restore', async () => {
      await inPane('attacker', 'echo kept > ~/kept');
      const port = new URL(agents.service.url).port;
      await agents.service.stop();
      await agents.start({ MUSTER_PORT: port });
      const again = await inPane('attacker', 'cat ~/kept; muster mail ls >/dev/null && echo called');
      expect(again).to.include('kept').and.to.include('called');
      await muster('archive', 'attacker');
      await muster('restore', 'attacker');
      await agents.idle('attacker');
      expect(await inPane('attacker', 'cat ~/kept')).to.equal('kept\n');
    });

    it('is ended with everything that it started, when it is archived', async () => {
      const sleeps = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).match(/sleep 86411/g)?.length ?? 0;
      await inPane('bystander', 'setsid nohup sleep 86411 >/dev/null 2>&1 &');
      await moment('it to run', () => sleeps() === 1);
      await muster('archive', 'bystander');
      await moment('it to be ended', () => sleeps() === 0);
    });

    it('is reported as killed by the signal that ended its CLI', async () => {
      await muster('prompt', 'worker', 'kill -9 $$').catch(() => undefined);
      const { ending } = await moment('its end', async () => {
        const row = await agents.row('worker');
        return row.ending && row;
      });
      expect(ending).to.deep.equal({ kind: 'AGENT_ENDING_KIND_KILLED', signal: 'SIGKILL' });
    });

    it('is not started if a grant shows the state folder, also under another name, or the socket of an engine', async () => {
      mkdirSync(agents.at('person', '.docker', 'run'), { recursive: true });
      writeFileSync(agents.at('person', '.docker', 'run', 'docker.sock'), '');
      symlinkSync(agents.folder.path, agents.at('other', 'link'));
      const stateFolder = 'the state folder';
      const grants = [
        ['leak', agents.at('state'), stateFolder],
        ['linked', agents.at('other', 'link'), stateFolder],
        ['engine', agents.at('engine'), 'the socket of a container engine'],
        ['desktop', agents.at('person', '.docker'), 'the socket of a container engine'],
      ] as const;
      for (const [name, path, shown] of someOf(grants)) {
        await agents.workflow(name, '--no-worktree', '--readable', path);
        await muster('new', 'true', '-w', name, '-t', name);
        const failed = await agents.failure(name);
        expect(failed).to.include('opening').and.to.include(`grants ${path}, which shows ${shown}`);
      }
    });

    it('launches nothing that is less isolated than itself', async () => {
      const told = await inPane(
        'attacker',
        'muster new true -w walled --isolation none; muster new true -w walled -t helper',
      );
      expect(told).to.include('isolation is "none"');
      expect(await agents.row('helper')).to.include({ isolation: 'ISOLATION_SANDBOX' });
    });

    inSoak('would succeed without isolation', async () => {
      await agents.launch(['open'], '--isolation', 'none');
      const victim = spawn('sleep', ['600'], { stdio: 'ignore' });
      const exited = once(victim, 'exit');
      const tried = someOf(attacks.filter(({ success }) => success instanceof RegExp));
      const answers = await agents.tryAll(tried, 'open', 'attacker', victim.pid ?? 0);
      const failed = tried.flatMap(({ name, success }, index) =>
        success instanceof RegExp && success.test(answers[index] ?? '') ? [] : `${name}: ${answers[index]}`,
      );
      expect(failed).to.deep.equal([]);
      // Nothing else than this attack ends it so.
      if (tried.every(({ name }) => name !== 'ends muster')) victim.kill('SIGTERM');
      else expect((await exited)[1]).to.equal('SIGKILL');
    });
  });
}
