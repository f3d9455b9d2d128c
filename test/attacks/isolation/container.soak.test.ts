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

(engineWorks() ? describe : describe.skip)('an agent in a container', () => {
  let agents: IsolatedAgents;

  before(async () => {
    agents = new IsolatedAgents(['--isolation', 'container', '--image', testImage], engineSettings());
    makeTestImage(agents.folder.path);
    await agents.prepare('--setup', 'id > ~/setup-ran; ls "$HOME/.ssh"; true');
    await agents.launch(['bystander', 'attacker']);
  });
  after(async () => {
    await agents.end();
    agents.remove();
  });

  it('is refused every attack by the kernel or the filter', async () => {
    expect(await agents.unrefused('attacker', 'bystander')).to.deep.equal([]);
    expect(agents.git('-C', agents.at('repository'), 'status', '--porcelain')).to.equal('');
  });

  it('does its work: commits on its branch, calls muster, and sees the programs of its image alone', async () => {
    const told = await agents.inPane(
      'attacker',
      `echo b > b.txt; git add b.txt; git commit -qm second && git log -1 --format='%an %s'
muster mail ls >/dev/null && echo called; cut -c1-4 ~/setup-ran; command -v podman gcc || echo bare`,
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
    await moment('it to be ended', () => inContainers(id).length === 0);
  });

  it('is ended by each of its limits, and says which', async () => {
    for (const [name, option, value, hog, text] of [
      ['memory', '--memory-mib', '128', 'head -c 300M /dev/zero | tail', '128 MiB of memory'],
      ['exec', '--memory-mib', '128', 'exec tail /dev/zero', '128 MiB of memory'],
      ['processes', '--max-processes', '60', 'for n in {1..200}; do sleep 60 & done', '60 processes'],
      ['disk', '--disk-mib', '40', 'head -c 200M /dev/zero > filler', '40 MiB of disk'],
    ] as const) {
      await agents.workflow(name, option, value);
      await agents.muster('new', 'true', '-w', name, '-t', name);
      await agents.idle(name);
      await agents.muster('prompt', name, hog).catch(() => undefined);
      const ending = await moment(`${name} to be ended`, async () => (await agents.row(name)).ending);
      expect(ending).to.deep.equal({ kind: 'AGENT_ENDING_KIND_LIMIT', exceeded: text });
    }
    expect(await agents.inPane('attacker', 'echo untouched')).to.equal('untouched\n');
  });

  it('may use as much of the processors as its workflow says', async () => {
    await agents.workflow('slow', '--cpu-percent', '30');
    await agents.muster('new', 'true', '-w', 'slow', '-t', 'slow');
    await agents.idle('slow');
    const quota = 'cd /sys/fs/cgroup; cat cpu.max cpu/cpu.cfs_quota_us cpu,cpuacct/cpu.cfs_quota_us 2>/dev/null';
    expect(await agents.inPane('slow', quota)).to.match(/^30000\b/);
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
