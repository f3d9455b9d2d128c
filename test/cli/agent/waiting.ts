import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { AwaitedAgent } from '#contract/operations/wait.ts';
import { isSoak } from '#test/support/soak.ts';
import { type Outcome, runInside } from '../command-line.ts';
import type { RunningService } from '../whole-service.ts';

/** Tests the commands that wait for agents, on a service that runs. */
export function testWaiting(serviceOf: () => RunningService): void {
  describe('waiting for agents and their results', () => {
    let project: string;
    const env = () => ({ MUSTER_HOME: serviceOf().home, MUSTER_URL: serviceOf().url, NO_COLOR: '1' });
    const muster = (...argv: string[]): Promise<Outcome> => runInside(argv, { env: env(), tty: false });
    const json = async <T>(...argv: string[]) => JSON.parse((await muster(...argv, '-o', 'json')).out) as T;
    const agent = async (name: string) => (await json<AgentRow>('show', name)).agent as Agent;
    const launch = (title: string, prompt: string, ...more: string[]) =>
      muster('new', prompt, '-w', 'plain', '--title', title, ...more);

    before(async () => {
      project = join(serviceOf().home, 'waiting');
      mkdirSync(project);
      await muster('workflow', 'create', 'plain', '--cwd', project, '--no-provision-enabled', '--harness', 'shell');
    });

    it('prints the result of a new agent alone, and exits with 0', async () => {
      const { out, err, code } = await launch('reporter', "muster report-result '312 pass'", '--wait', '--result');
      expect({ out, code }, err).to.deep.equal({ out: '312 pass\n', code: 0 });
      expect(err).to.match(/^reporter +finished \(turn 1, has a result\)/m);
      expect((await muster('result', 'reporter')).out).to.equal('312 pass\n');
    });

    it('returns at once for a turn that is finished, and waits for the next', async () => {
      await launch('worker', 'true', '--wait');
      const [first] = await json<AwaitedAgent[]>('wait', 'worker', '--for', 'finished');
      expect(first).to.include({ outcome: 'AGENT_OUTCOME_FINISHED', turn: 1 });
      expect((await muster('wait', 'worker', '--after-turn', '0')).code).to.equal(0);
      expect((await muster('wait', 'worker', '--after-turn', '1', '--timeout', '1s')).code).to.equal(10);
      expect((await muster('prompt', 'worker', 'sleep 1')).code).to.equal(0);
      const [second] = await json<AwaitedAgent[]>('wait', 'worker', '--for', 'finished', '--after-turn', '1');
      expect(second).to.include({ turn: 2 });
    });

    it('distinguishes a killed CLI and an exit from a finished turn', async () => {
      const killed = await launch('killed', 'kill -9 $$', '--wait');
      expect(killed.code, killed.err).to.equal(20);
      expect((await agent('killed')).ending).to.deep.equal({ kind: 'AGENT_ENDING_KIND_KILLED', signal: 'SIGKILL' });
      const exited = await launch('exited', 'exit 3', '--wait');
      expect(exited.code, exited.err).to.equal(20);
      expect((await agent('exited')).ending).to.deep.equal({ kind: 'AGENT_ENDING_KIND_EXITED', exitStatus: 3 });
      expect((await runInside(['show', 'exited'], { env: env(), tty: true })).out).to.match(
        /ended +exited with status 3/,
      );
      expect((await muster('wait', 'killed', 'exited', '--for', 'ended')).code, 'what was waited for').to.equal(0);
    });

    it('waits for all, for any, and for a question', async () => {
      await launch('slow', 'sleep 600');
      await launch('asks', 'read -p "Your name? "');
      const any = await json<AwaitedAgent[]>('wait', 'slow', 'asks', '--any');
      expect(any.map(({ name, outcome }) => [name, outcome])).to.deep.equal([['asks', 'AGENT_OUTCOME_WAITS']]);
      expect((await muster('wait', 'asks')).code).to.equal(22);
      const late = await muster('wait', 'slow', 'asks', '--timeout', '1s');
      expect([late.code, late.err]).to.deep.equal([10, late.err]);
      expect(late.err).to.match(/^no outcome in time\. .*slow: THINKING/);
      expect((await muster('wait', 'nobody')).code).to.equal(4);
      expect(await muster('wait')).to.include({
        code: 2,
        err: 'name agents, or give --workflow or --launched-by, and only one of the three\n',
      });
    });

    it('is what the example scripts do', async () => {
      const run = async (script: string, argv: readonly string[], more: Readonly<Record<string, string>>) => {
        const inside = { MUSTER_HOME: serviceOf().home, MUSTER_URL: serviceOf().url, WORKFLOW: 'plain', ...more };
        const PATH = `${fileURLToPath(new URL('../../../bin', import.meta.url))}:${process.env['PATH']}`;
        const file = fileURLToPath(new URL(`../../../examples/results/${script}`, import.meta.url));
        return (await promisify(execFile)(file, argv, { env: { ...process.env, ...inside, PATH } })).stdout;
      };
      expect(await run('one.sh', ['muster report-result 42'], {})).to.equal('42\n');
      if (!isSoak) return;
      const parts = await run('ten.sh', ['api', 'web'], { TASK: 'muster report-result' });
      expect(parts).to.equal('part-api: api\npart-web: web\n');
    });

    it('refuses flags that need a wait', async () => {
      for (const flags of [['--result'], ['--for', 'ended']])
        expect((await launch('x', 'true', ...flags)).code).to.equal(2);
      expect((await launch('x', 'true', '--wait', '--timeout', 'soon')).code).to.equal(2);
      expect((await muster('result', 'asks')).code).to.equal(4);
      const none = await launch('quiet', 'true', '--wait', '--result');
      expect(none.err).to.include('it reported no result: muster read quiet');
    });

    it('says what input, filter or action does not fit, in words of the command line', async () => {
      for (const argv of [
        ['new', '  ', '-w', 'plain'],
        ['prompt', 'worker', ' \n'],
        ['mail', 'send', 'worker', '-s', ' ', 'x'],
        ['mail', 'send', 'worker', '-s', 'x', ' '],
        ['report-result', ' ', '--agent', 'worker'],
        ['host', 'invite', '--name', ''],
        ['host', 'invite', '--name', ' '],
      ])
        expect(await muster(...argv), argv.join(' ')).to.include({ code: 2, out: '' });
      const refused = async (...argv: string[]) => {
        const { code, err } = await muster(...argv);
        return `${code} ${err}`;
      };
      expect(await refused('host', 'remove', 'nobody')).to.equal(
        '4 There is no host "nobody": muster hosts lists them\n',
      );
      expect(await refused('clean', 'worker')).to.match(/^6 worker is not archived/);
      expect(await refused('park', 'worker', '--until', 'yesterday')).to.match(
        /^2 --until is "yesterday": .*2026-12-01/,
      );
      expect((await muster('unpark', 'worker')).out).to.equal('worker was not parked\n');
      expect((await muster('park', 'worker')).out).to.include('without an end');
      expect((await muster('unpark', 'worker')).out).to.equal('worker is no longer parked\n');
      await muster('workflow', 'create', 'empty', '--cwd', project, '--harness', 'shell');
      expect(await refused('wait', '-w', 'empty')).to.equal('4 workflow empty has no agents that are not archived\n');
      expect(await refused('workflow', 'edit', 'empty', '--clean-folders-after', '0')).to.match(
        /^2 --clean-folders-after is 0/,
      );
      expect(await refused('workflow', 'edit', 'empty', '--build-folder', '')).to.equal(
        '2 --build-folder.0 is missing: give it a value. `muster workflow edit --help` lists the flags\n',
      );
      expect(await refused('new', 'x', '--budget-work', '-2h')).to.match(/^2 .*--budget-work/);
      const kept = await muster('workflow', 'edit', 'empty', '--clean-folders-after', '2');
      expect(kept).to.include({ code: 0, err: '' });
      expect(await refused('budget', 'set', '-w', 'empty', '--work', '0m'))
        .to.include('2 ')
        .and.to.include('at least 1m');
      expect(await refused('budget', 'set', 'worker', '--turns', '99999999999')).to.include('from 1 to 999999999');
    });

    it('ends for a failed setup with the line that says why', async () => {
      const shop = join(serviceOf().home, 'shop');
      const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
      execFileSync('git', ['init', '-q', shop]);
      execFileSync('git', ['-C', shop, ...author, 'commit', '-q', '--allow-empty', '-m', 'x']);
      const setup = ['--setup', 'echo error: no network; exit 3'];
      await muster('workflow', 'create', 'fails', '--cwd', shop, '--harness', 'shell', ...setup);
      const { err, code } = await muster('new', 'true', '-w', 'fails', '--title', 'failed', '--wait');
      expect((await muster('new', 'true', '-w', 'fails', '--wait', '--for', 'failed')).code, 'what it is for').to.equal(
        0,
      );
      expect(code).to.equal(21);
      expect(err).to.match(/^failed +failed: .*no network$/m);
    });

    it('counts in budgets, which are set, listed and continued', async () => {
      await muster('workflow', 'create', 'small', '--cwd', project, '--no-provision-enabled', '--harness', 'shell');
      const owner = ['--workflow', 'small'];
      const set = await muster('budget', 'set', ...owner, '--work', '90m', '--launches', '1');
      expect(set.out, set.err).to.equal('workflow small may use 1 h 30 min at work, 1 launch a day\n');
      expect((await muster('new', 'true', '-w', 'small', '--title', 'only')).code).to.equal(0);
      expect(await muster('new', 'true', '-w', 'small')).to.include({ code: 7, out: '' });
      expect((await muster('budget', 'list', 'only', '-o', 'table')).out).to.match(
        /^workflow small +0 min of 1 h 30 min +1 of 1/m,
      );
      expect((await muster('budget', 'continue', ...owner)).out).to.equal('The budget of workflow small continues\n');
      const off = await muster('budget', 'set', ...owner, '--work', 'none', '--launches', 'none');
      expect(off.out, off.err).to.equal('It has no budget now\n');
      expect(await muster('budget', 'set', 'only', ...owner, '--turns', '1')).to.include({ code: 2 });
      expect(await muster('budget', 'set', 'only', '--turns', 'few')).to.include({ code: 2 });
      expect((await muster('budget', 'list', '-o', 'table')).out).to.equal('There are no budgets\n');
    });
  });
}
