import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { engineSettings, engineWorks, makeTestImage, testImage } from './container-image.ts';
import { IsolatedAgents } from './isolated-agents.ts';

/** The processes of this machine that were started in containers of this agent. */
function inContainers(agentId: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`MUSTER_CONTAINER=${agentId}.`);
    } catch {
      return false;
    }
  });
}

(engineWorks() ? describe : describe.skip)('an agent in a container', function () {
  this.timeout(90_000);
  let agents: IsolatedAgents;

  before(async () => {
    agents = new IsolatedAgents(['--isolation', 'container', '--image', testImage], engineSettings());
    makeTestImage(agents.folder.path);
    await agents.prepare('--setup', 'id > ~/setup-ran; ls "$HOME/.ssh"; true');
    await agents.launch(['bystander', 'attacker']);
  });
  after(() => agents.close());

  it('is refused every attack by the kernel or the filter', async () => {
    expect(await agents.unrefused('attacker', 'bystander')).to.deep.equal([]);
    expect(agents.git('-C', agents.at('repository'), 'status', '--porcelain')).to.equal('');
  });

  it('does its work: commits on its branch, calls muster, and sees the programs of its image alone', async () => {
    const told = await agents.inPane(
      'attacker',
      `echo b > b.txt; git add b.txt; git commit -qm second && git log -1 --format='%an %s'
muster mail ls >/dev/null && echo called; cut -c1-4 ~/setup-ran; command -v podman perl || echo bare`,
    );
    expect(told).to.equal('Ada second\ncalled\nuid=\nbare\n');
  });

  it('is ended with everything that it started, also if the client of the engine was killed', async () => {
    const { id = '' } = await agents.row('bystander');
    await agents.inPane('bystander', 'setsid nohup sleep 86412 >/dev/null 2>&1 &');
    const clients = execFileSync('pgrep', ['-f', `podman run.*muster.agent=${id}`], { encoding: 'utf8' });
    for (const pid of clients.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
    expect(inContainers(id)).not.to.have.length(0);
    await agents.muster('archive', 'bystander');
    await moment('it to be ended', () => inContainers(id).length === 0, 20_000);
  });

  it('is not started without its image', async () => {
    await agents.muster('workflow', 'edit', 'walled', '--image', 'localhost/nowhere:1');
    await agents.muster('new', 'true', '-w', 'walled', '-t', 'unknown', '--no-worktree');
    expect(await agents.failure('unknown')).to.match(/^opening: .*podman pull localhost\/nowhere:1/);
  });

  it('is offered by doctor', async () => {
    const found = await agents.muster('rpc', 'run-doctor');
    expect(found).to.include('agents can run in containers of').and.to.include('agents can be isolated by');
  });
});
