import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { type Outcome, runInside } from '#test/cli/command-line.ts';
import { startService, type WholeService } from '#test/cli/whole-service.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type GitForge, gitForge } from './git-forge.ts';

const run = promisify(execFile);

describe('a branch that an agent pushes', () => {
  let folder: TemporaryFolder;
  let home: TemporaryFolder;
  let forge: GitForge;
  let service: WholeService;
  const muster = (...argv: string[]): Promise<Outcome> =>
    runInside(argv, { env: { MUSTER_HOME: home.path, MUSTER_URL: service.url, NO_COLOR: '1' } });
  const done = async (...argv: string[]): Promise<string> => {
    const { code, out, err } = await muster(...argv);
    expect({ code, err: code === 0 ? '' : err }, argv.join(' ')).to.deep.equal({ code: 0, err: '' });
    return out;
  };
  const row = async (): Promise<AgentRow | undefined> =>
    (JSON.parse(await done('ls', '-o', 'json')) as AgentRow[]).find(({ agent }) => agent?.name === 'pusher');

  before(async () => {
    folder = temporaryFolder('pushed');
    home = temporaryFolder('pushed-home');
    forge = await gitForge(folder.path);
    const clone = join(folder.path, 'app');
    const git = (...args: string[]) => run('git', args);
    await git('clone', '-q', forge.repositoryUrl, clone);
    for (const [name, value] of [
      ['user.name', 'Ann'],
      ['user.email', 'ann@example.com'],
    ] as const)
      await git('-C', clone, 'config', name, value);
    writeFileSync(join(clone, 'a.txt'), 'one\n');
    await git('-C', clone, 'add', '-A');
    await git('-C', clone, 'commit', '-q', '-m', 'first');
    await git('-C', clone, 'push', '-q', 'origin', 'HEAD:main');
    service = await startService(home.path);
    const address = ['--host', forge.host, '--base-address', `http://${forge.host}`];
    const credential = ['--kind', 'FORGE_KIND_GITEA', '--credential', forge.world.token];
    await done('rpc', 'create-forge-connection', ...address, ...credential);
    const mails = ['--mail-on-pull-request', 'PULL_REQUEST_MATTER_FAILING_CHECKS'];
    await done('workflow', 'create', 'app', '--cwd', clone, '--harness', 'shell', '--worktree', ...mails);
  });
  after(async () => {
    await service?.end();
    await forge.close();
    home.remove();
    folder.remove();
  });

  it('shows its pull request in list_agents, follows it, and mails the agent about failing checks', async () => {
    const work = 'echo two > b.txt && git add -A && git commit -qm second && git push -q origin HEAD; git status -sb';
    await done('new', work, '-w', 'app', '--title', 'pusher');
    const opened = await moment('the agent has pushed', () => forge.pulls[0]);
    const own = await moment('its checkout is known', async () => {
      const found = await row();
      return found?.agent?.repositoryUrl !== undefined && found.agent.headSha === opened.headSha ? found : undefined;
    });
    expect(own.agent?.branch).to.equal(opened.branch);
    const sweep = () => done('prs', '--sweep', `https://${forge.host}/acme/app.git`, '-o', 'json');
    await sweep();
    const shown = await moment('its pull request shows', async () => {
      const { pullRequest, pullRequests } = (await row()) ?? {};
      return pullRequest?.state === 'PULL_REQUEST_STATE_OPEN' ? { pullRequest, pullRequests } : undefined;
    });
    expect(shown.pullRequest).to.include({ number: 1, title: 'Change 1', checks: 'CHECKS_NONE' });
    expect(shown.pullRequests?.map(({ headSha }) => headSha)).to.deep.equal([opened.headSha]);

    forge.change(1, { checks: [{ name: 'unit tests', state: 'failed' }] });
    await sweep();
    await moment('it fails', async () => (await row())?.pullRequest?.state === 'PULL_REQUEST_STATE_FAILING');
    expect(await row()).to.include({ unreadMail: true, unreadMailCount: 1 });
    expect(await done('mail', 'take', 'pusher', '-o', 'json')).to.contain('Checks fail on its head: unit tests.');

    const at = new Date().toISOString();
    forge.change(1, { state: 'MERGED', updatedAt: at, finishedAt: at });
    await sweep();
    await moment('it is merged', async () => (await row())?.pullRequest?.state === 'PULL_REQUEST_STATE_MERGED');
    expect(await done('prs', 'pusher', '-o', 'json')).to.contain('PULL_REQUEST_STATE_MERGED');
  });
});
