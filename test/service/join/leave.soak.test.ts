import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readCredential, validityOf } from '#bus/identity/credential.ts';
import { clientOf } from '#cli/client/client.ts';
import { runProgram } from '#test/cli/command-line.ts';
import { startService, type WholeService } from '#test/cli/whole-service.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import { joinBy, machineIn } from './machine.ts';

describe('a joined machine', () => {
  let place: TemporaryFolder;
  let central: WholeService;
  let joined: WholeService | undefined;
  before(async () => {
    place = temporaryFolder('leave');
    central = await startService(join(place.path, 'central'));
  });
  after(async () => {
    await joined?.stop();
    await central.stop();
    place.remove();
  });

  const env = () => ({ MUSTER_HOME: join(place.path, 'central'), MUSTER_URL: central.url });
  const muster = (...argv: string[]) => runProgram(argv, { env: env() });
  const client = () =>
    clientOf({ baseUrl: central.url, token: readFileSync(join(place.path, 'central/operator.token'), 'utf8').trim() });

  it('is certified for a day, and stops after its removal with the reason, leaving agents’ windows alone', async () => {
    const machine = machineIn(place.path, 'second');
    joined = await joinBy((await muster('host', 'invite', '--name', 'build-2')).out.trim(), machine);
    const { from, until } = validityOf(
      readCredential(readFileSync(join(machine.home, 'joined-host.creds'), 'utf8'))?.jwt() ?? '',
    );
    expect(Math.round((until - from) / 60_000)).to.equal(24 * 60);
    const beat = join(place.path, 'beat');
    const { workflows = [] } = await client().call('workflow.v1.WorkflowService/ListWorkflows', {});
    const { agent } = await client().call('agent.v1.AgentService/CreateAgent', {
      workflowId: workflows[0]?.id ?? '',
      host: 'build-2',
      harness: 'shell',
      dir: place.path,
      provisionEnabled: false,
      prompt: `while [ ! -e ${beat}.end ]; do touch ${beat}; sleep 0.1; done; touch ${beat}.ended`,
    });
    await moment('the agent to be at work', () => existsSync(beat));
    const asked = await muster('host', 'remove', 'build-2');
    expect(asked.code).to.equal(6);
    expect(asked.err).to.include(`1 agent on it: ${agent?.name}`).and.to.include('nothing is removed');
    const { code, out } = await muster('host', 'remove', 'build-2', '--now', '--yes');
    expect({ code, out }).to.deep.equal({
      code: 0,
      out: 'build-2 is removed; 1 agent stayed behind: muster delete --abandon gives them up\n',
    });
    expect(await joined.ended).to.equal(8);
    expect(joined.told()).to.match(/^A person removed host "build-2" .* its keys are refused permanently/m);
    const later = await runProgram(['start'], { env: { MUSTER_HOME: machine.home, MUSTER_PORT: '0' } });
    expect(later.code).to.equal(8);
    expect(later.err).to.include('A person removed host "build-2"');
    const shown = await muster('ls', '--all');
    expect(shown.out).to.include('host removed');
    // Its window lives on: the program in it still works, and ends on its own.
    expect(existsSync(`${beat}.ended`)).to.equal(false);
    writeFileSync(`${beat}.end`, '');
    await moment('the program in the window to end', () => existsSync(`${beat}.ended`));
    execFileSync('tmux', ['-S', socketOf(socketFolder(join(machine.home, 'run')), agent?.id ?? ''), 'kill-server']);
    expect((await muster('delete', '--abandon', agent?.id ?? '')).code).to.equal(0);
  });
});
