import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Fact } from '#contract/fact/fact.ts';
import { gitIn } from '#test/support/git-in.ts';
import { hasSandbox } from '#test/support/has-sandbox.ts';
import { moment } from '#test/support/moment.ts';
import { ownProgram } from '#test/support/pieces.ts';
import { inSoak } from '#test/support/soak.ts';
import { leaveWork, startTwoHosts, type TwoHosts, workIn } from './two-hosts.ts';

const hostProgram = fileURLToPath(new URL('./host-process.ts', import.meta.url));

/** How agents are isolated that move: this machine may have no sandbox. */
const isolation = hasSandbox ? 'ISOLATION_SANDBOX' : 'ISOLATION_NONE';

/** The far host can be killed at a moment of a move. */
const programOf: typeof ownProgram = (piece) =>
  piece === 'otherHost' ? [process.execPath, hostProgram] : ownProgram(piece);

describe('a move to another host', function () {
  this.timeout(180_000);
  let two: TwoHosts;
  before(async () => {
    two = await startTwoHosts(programOf, { setup: 'mkdir -p ignored; echo set >> ignored/set-up', teardown: 'true' });
    await two.call('workflow.v1.WorkflowService/UpdateWorkflow', { workflowId: two.workflowId, isolation });
  });
  after(() => two?.stop());

  it('brings its work and its isolation, commits to its branch there, and leaves only what was announced', async () => {
    const before = await two.launch('worker');
    const { id = '', cwd: left = '' } = before;
    leaveWork(left);
    const work = workIn(left);
    const { notCarried } = await two.move(id);
    expect(notCarried?.join()).to.contain('ignored/');
    const { cwd = '', ...moved } = await two.settled(id, two.far);
    expect([moved.failedMove, moved.isolation ?? 'ISOLATION_NONE']).to.deep.equal([undefined, isolation]);
    expect(cwd.startsWith(two.otherHome)).to.equal(true);
    expect(workIn(cwd)).to.deep.equal(work);
    expect(statSync(join(cwd, 'new folder', 'ü.sh')).mode & 0o111).not.to.equal(0);
    expect(gitIn(cwd, 'rev-parse', '--git-common-dir')).to.equal(join(two.clone, '.git'));
    expect(readFileSync(join(cwd, 'ignored', 'set-up'), 'utf8')).to.equal('set\n');
    await moment('what it left is taken away', () => !existsSync(left));
    await moment('its branch there is gone', () => !gitIn(two.repository, 'branch').includes('worker'));
    expect(await two.windows('near')).to.deep.equal([]);
    expect(await two.windows('far')).to.deep.equal([id]);
    const [folder = ''] = readdirSync(join(two.home, 'leftovers'));
    expect(readFileSync(join(two.home, 'leftovers', folder, 'ignored', 'note'), 'utf8')).to.equal('not carried\n');
    const packages = () => [two.home, two.otherHome].flatMap((home) => readdirSync(join(home, 'moves')));
    await moment('no package is left', () => packages().length === 0);
    const commit = 'echo new > new.txt; git add new.txt; git -c user.name=A -c user.email=a@b.c commit -qm there';
    const secrets = `cat ${two.otherHome}/host.key ${two.home}/operator.token`;
    const prompt = `${commit}; ${secrets} > told 2>&1; mv told refused`;
    await two.call('agent.v1.AgentService/PromptAgent', { agentId: id, prompt });
    await moment('it has worked there', () => existsSync(join(cwd, 'refused')));
    expect(gitIn(cwd, 'log', '-1', '--format=%s')).to.equal('there');
    const refused = readFileSync(join(cwd, 'refused'), 'utf8').match(/No such file/g) ?? [];
    expect(refused).to.have.length(isolation === 'ISOLATION_SANDBOX' ? 2 : 0);

    writeFileSync(join(cwd, 'back.txt'), 'back\n');
    await two.settled(id, two.far);
    await two.move(id, { host: two.near, dir: two.repository });
    const back = await two.settled(id, two.near);
    expect(readFileSync(join(back.cwd ?? '', 'back.txt'), 'utf8')).to.equal('back\n');
    await two.call('agent.v1.AgentService/DeleteAgent', { agentId: id, force: true });
  });

  inSoak('returns if the other host cannot set it up, and leaves nothing there', async () => {
    const setup = `case "$PWD" in ${two.otherHome}*) echo no room; exit 3;; esac`;
    const failing = await two.addWorkflow('failing', { setup });
    const { id = '', cwd = '' } = await two.launch('returning', 'true', failing);
    leaveWork(cwd);
    const work = workIn(cwd);
    await two.move(id);
    await moment('it has failed', async () => (await two.agent(id)).failedMove);
    const back = await two.settled(id, two.near);
    expect(back.failedMove).to.contain('preparing').and.to.contain('ended with 3');
    expect(back.cwd).to.equal(cwd);
    expect(workIn(cwd)).to.deep.equal(work);
    await moment('nothing is left there', () => !gitIn(two.clone, 'worktree', 'list').includes('returning'));
    expect(await two.windows('far')).to.deep.equal([]);
    await moment('nothing is packed any more', () => readdirSync(join(two.home, 'moves')).length === 0);
    await two.call('agent.v1.AgentService/DeleteAgent', { agentId: id, force: true });
  });

  inSoak('follows after the children are archived, which follow too and are restored there', async () => {
    const { id = '' } = await two.launch('parent');
    const request = { prompt: 'true', workflowId: two.workflowId, parentAgentId: id };
    const launchChild = async (title: string) =>
      (await two.call<{ agent: { id: string } }>('agent.v1.AgentService/CreateAgent', { ...request, title })).agent.id;
    const child = await launchChild('child');
    await two.settled(child, two.near);
    const refusalOf = (call: Promise<unknown>) => call.then(() => '', String);
    expect(await refusalOf(two.move(id))).to.match(/its children "child" \(.+\) are not archived.+archive them first/);
    expect(await refusalOf(two.move(child))).to.match(/is a child.+"parent" \(.+\): move that, which it follows/);
    await two.call('agent.v1.AgentService/ArchiveAgent', { agentId: child });
    await moment('it moves', () =>
      two.move(id).catch((error: unknown) => {
        if (!String(error).includes('are not archived')) throw error;
        return undefined;
      }),
    );
    expect(await refusalOf(launchChild('too late'))).to.contain('wait until it has arrived');
    expect(await refusalOf(two.call('agent.v1.AgentService/RestoreAgent', { agentId: child }))).to.contain('moves to');
    const { cwd } = await two.settled(id, two.far);
    await moment('its child follows', async () => {
      const { hostId, movingTo } = await two.agent(child);
      return hostId === two.far && movingTo === undefined;
    });
    await two.call('agent.v1.AgentService/RestoreAgent', { agentId: child });
    expect((await two.settled(child, two.far)).cwd).to.equal(cwd);
    expect(await two.windows('far')).to.have.members([id, child]);
    expect(await two.windows('near')).to.deep.equal([]);
    await two.call('agent.v1.AgentService/DeleteAgent', { agentId: id, force: true });
  });

  it('is cancelled while the agent works, and refused if it is impossible', async () => {
    const { id = '' } = await two.launch('busy');
    await two.call('agent.v1.AgentService/PromptAgent', { agentId: id, prompt: 'sleep 600' });
    await moment('it works', async () => (await two.agent(id)).state === 'AGENT_STATE_THINKING');
    await two.move(id);
    expect((await two.agent(id)).stateReason).to.match(/^moves to .+ once it is at rest$/);
    await two.call('agent.v1.AgentService/MoveAgent', { agentId: id, cancel: true });
    expect((await two.agent(id)).movingTo).to.equal(undefined);
    const refusals = [
      [{ host: two.near }, 'is on '],
      [{ host: 'nowhere' }, 'there is no host'],
      [{ dir: '/nowhere/at/all' }, 'not in a git repository'],
      [{ fromLastRound: true }, 'is online'],
    ] as const;
    for (const [request, why] of refusals) {
      const refused = await two.move(id, request).then(() => '', String);
      expect(refused, JSON.stringify(request)).to.contain(why);
    }
    await two.call('agent.v1.AgentService/DeleteAgent', { agentId: id, force: true });
  });

  inSoak('uses the last round of a lost host, whose window closes when it returns', async () => {
    const { id = '', cwd = '' } = await two.launch('rescued');
    leaveWork(cwd);
    const work = workIn(cwd);
    await two.call('agent.v1.AgentService/StartReviewRound', { agentId: id });
    // The round is stored although all processes have restarted since.
    await two.kill('registry');
    await two.start('registry');
    await two.call('host.v1.HostService/UpdateHost', { hostId: two.near, patienceSeconds: 30 });
    await moment('the round is kept', async () => {
      const asked = { subjectId: id, pageSize: 50 };
      const { facts = [] } = await two.call<{ facts?: Fact[] }>('fact.v1.FactService/ListFacts', asked);
      return facts.some(({ kind }) => kind === 'review.round-kept');
    });
    writeFileSync(join(cwd, 'later.txt'), 'after the round\n');
    await two.kill('host');
    const { mayBeMissing } = await moment(
      'the host is lost',
      () =>
        two.move(id, { fromLastRound: true }).catch((error: unknown) => {
          if (!/silent and not lost|is online/.test(String(error))) throw error;
          return undefined;
        }),
      120_000,
    );
    expect(mayBeMissing?.join()).to.contain('everything since round 1');
    const there = await two.settled(id, two.far);
    expect(workIn(there.cwd ?? '')).to.deep.equal(work);
    expect(await two.windows('near')).to.deep.equal([id]);
    await two.start('host');
    await moment('its first window is closed', async () => (await two.windows('near')).length === 0);
    expect(readFileSync(join(cwd, 'later.txt'), 'utf8')).to.equal('after the round\n');
    await two.call('agent.v1.AgentService/DeleteAgent', { agentId: id, force: true });
  });

  inSoak(
    'returns from a host that is lost during the arrival once a person vouches, and leaves no window there',
    async () => {
      const { id = '', cwd = '' } = await two.launch('stranded');
      leaveWork(cwd);
      const work = workIn(cwd);
      await two.call('host.v1.HostService/UpdateHost', { hostId: two.far, patienceSeconds: 30 });
      writeFileSync(join(two.otherHome, 'trap'), 'self after-commit WINDOW_OPENED');
      await two.move(id);
      await two.ended('otherHost');
      const cancelGone = () => two.call('agent.v1.AgentService/MoveAgent', { agentId: id, cancel: true, gone: true });
      expect(await cancelGone().then(() => '', String)).to.contain('is not lost');
      await two.call('agent.v1.AgentService/MoveAgent', { agentId: id, cancel: true });
      await moment(
        'the host is lost',
        () =>
          cancelGone().catch((error: unknown) => {
            if (!String(error).includes('is not lost')) throw error;
            return undefined;
          }),
        120_000,
      );
      const { failedMove, cwd: back } = await two.settled(id, two.near);
      expect(failedMove).to.match(/^a person cancelled it; a person said that .+ is gone$/);
      expect(back).to.equal(cwd);
      expect(workIn(cwd)).to.deep.equal(work);
      expect(await two.windows('near')).to.deep.equal([id]);
      await two.start('otherHost');
      await moment('its window there is closed', async () => (await two.windows('far')).length === 0);
      await moment('its worktree there is gone', () => !gitIn(two.clone, 'worktree', 'list').includes('stranded'));
      await two.call('agent.v1.AgentService/DeleteAgent', { agentId: id, force: true });
    },
  );

  inSoak('happens with the others of a drained host', async () => {
    const { id = '' } = await two.launch('drained');
    const { moves } = await two.call<{ moves: { refusal?: string; hostId?: string }[] }>(
      'host.v1.HostService/DrainHost',
      {
        hostId: two.near,
        move: true,
      },
    );
    expect(moves.map(({ hostId, refusal }) => refusal ?? hostId)).to.deep.equal([two.far]);
    await two.settled(id, two.far);
    await moment('the host has none', async () => (await two.windows('near')).length === 0);
  });
});
