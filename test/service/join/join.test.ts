import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readCredential } from '#bus/identity/credential.ts';
import { clientOf } from '#cli/client/client.ts';
import { runProgram } from '#test/cli/command-line.ts';
import { startService, type WholeService } from '#test/cli/whole-service.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { joinBy, machineIn, settingsOf, startJoined, tryToJoin } from './machine.ts';

describe('a second machine', () => {
  let place: TemporaryFolder;
  let central: WholeService;
  const running: WholeService[] = [];
  before(async () => {
    place = temporaryFolder('join');
    central = await startService(join(place.path, 'central'));
  });
  after(async () => {
    for (const one of [...running, central]) await one.stop();
    place.remove();
  });

  const token = () => readFileSync(join(place.path, 'central/operator.token'), 'utf8').trim();
  const client = (baseUrl = central.url) => clientOf({ baseUrl, token: token() });
  const hosts = async () => (await client().call('host.v1.HostService/ListHosts', {})).hosts ?? [];
  const hostNamed = async (name: string) => (await hosts()).find((host) => host.name === name);
  const invite = async (name: string) =>
    (await client().call('host.v1.HostService/InviteHost', { name })).command ?? '';

  it('joins with the printed line alone, runs agents that use its own gateway, and returns as the same host', async () => {
    const machine = machineIn(place.path, 'second');
    const joined = await joinBy(await invite('build-2'), machine);
    running.push(joined);
    expect(new URL(joined.url).hostname).to.equal('127.0.0.1');
    expect(joined.url).not.to.equal(central.url);
    const { id = '', state, newcomer = false } = (await hostNamed('build-2')) ?? {};
    expect({ state, newcomer }).to.deep.equal({ state: 'HOST_STATE_ONLINE', newcomer: false });
    const out = join(place.path, 'out');
    const { workflows = [] } = await client().call('workflow.v1.WorkflowService/ListWorkflows', {});
    const { agent } = await client(joined.url).call('agent.v1.AgentService/CreateAgent', {
      workflowId: workflows[0]?.id ?? '',
      host: 'build-2',
      harness: 'shell',
      dir: place.path,
      provisionEnabled: false,
      prompt: `{ echo $SERVICE_BASE_URL; muster ls -o json | grep -c '"hostId":"${id}"'; } > ${out}.part && mv ${out}.part ${out}`,
    });
    await moment('the agent to have called muster', () => existsSync(out));
    expect(readFileSync(out, 'utf8').trim().split('\n')).to.deep.equal([joined.url, '1']);
    await client().call('agent.v1.AgentService/DeleteAgent', { agentId: agent?.id ?? '', force: true });
    await joined.stop();
    const again = await startJoined(machine);
    running.push(again);
    expect((await hostNamed('build-2'))?.id).to.equal(id);
    expect((await hosts()).length).to.equal(2);
  });

  it('keeps its keys private: only the owner may read them, and no seed is anywhere else', async () => {
    const home = machineIn(place.path, 'second').home;
    const files = readdirSync(home).filter((name) => statSync(join(home, name)).isFile());
    for (const name of files) expect(statSync(join(home, name)).mode & 0o777, name).to.equal(0o600);
    const seeds = ['joined-host.creds', 'joined-gateway.creds'].map(
      (name) => readCredential(readFileSync(join(home, name), 'utf8'))?.seed ?? '',
    );
    const database = readdirSync(join(place.path, 'central')).filter((name) => name.startsWith('muster.db'));
    for (const name of database) {
      const text = readFileSync(join(place.path, 'central', name), 'latin1');
      for (const seed of seeds) expect(text).not.to.include(seed);
    }
  });

  inSoak('completes an interrupted join with the same line, from any step', async () => {
    const interrupted = machineIn(place.path, 'interrupted');
    const line = await invite('interrupted');
    const killed = fileURLToPath(new URL('../../support/kill-at.cjs', import.meta.url));
    // Before the token is exchanged, right after it, and before the last file.
    for (const file of ['joining.json', 'joined-host.creds', 'joined.json']) {
      const { code } = await runProgram(line.split(' ').slice(1), {
        env: {
          ...settingsOf(interrupted),
          NODE_OPTIONS: `--require ${killed}`,
          MUSTER_TEST_KILL_BEFORE: `/${file}.`,
          MUSTER_TEST_KILL_WITHIN: interrupted.home,
        },
      });
      expect(code, file).not.to.equal(0);
      expect(existsSync(join(interrupted.home, file)), file).to.equal(false);
    }
    const start = await runProgram(['start'], { env: settingsOf(interrupted) });
    expect([start.code, start.err]).to.deep.equal([6, start.err]);
    expect(start.err).to.include('was interrupted: run the same line again');
    const thief = await tryToJoin(line, machineIn(place.path, 'thief'));
    expect(thief.err).to.include('has joined with this line already');
    running.push(await joinBy(line, interrupted));
    expect((await hostNamed('interrupted'))?.state).to.equal('HOST_STATE_ONLINE');
    expect(existsSync(join(interrupted.home, 'joining.json'))).to.equal(false);
    const { invitations = [] } = await client().call('host.v1.HostService/ListHostInvitations', {});
    expect(invitations.find(({ name }) => name === 'interrupted')?.state).to.equal('HOST_INVITATION_STATE_USED');
  });

  inSoak('finds a loopback bus again after a restart of the central service', async () => {
    const [machine] = [machineIn(place.path, 'second')];
    const { busUrl } = JSON.parse(readFileSync(join(machine.home, 'joined.json'), 'utf8')) as { busUrl: string };
    const port = new URL(central.url).port;
    await central.stop();
    central = await startService(join(place.path, 'central'), port);
    expect(readFileSync(join(place.path, 'central/run/nats-port'), 'utf8').trim()).to.equal(new URL(busUrl).port);
    const restarted = Date.now();
    await moment('build-2 to be back', async () => Date.parse((await hostNamed('build-2'))?.seenAt ?? '') > restarted);
  });

  inSoak('is refused with a clear sentence, without effect', async () => {
    const used = await invite('used');
    running.push(await joinBy(used, machineIn(place.path, 'third')));
    const withdrawn = await invite('withdrawn');
    await client().call('host.v1.HostService/WithdrawHostInvitation', { invitationId: 'withdrawn' });
    const good = await invite('good');
    const [address = '', secret = ''] = good.slice('muster join '.length).split('#');
    const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await moment('the other server to listen', () => other.listening);
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const refused = machineIn(place.path, 'refused');
    for (const [line, status, words] of [
      ['muster join', 2, 'takes the whole line that `muster host invite` prints'],
      [`muster join ${address}`, 2, 'takes the whole line'],
      [`muster join ${address}/x#${secret}`, 2, 'takes the whole line'],
      [`muster join ${address}#JOIN-${'x'.repeat(43)}`, 8, 'did not issue the token of this line'],
      [used, 6, 'has joined with this line already'],
      [withdrawn, 6, 'A person withdrew this invitation'],
      [`muster join http://127.0.0.1:9#${secret}`, 9, 'cannot reach http://127.0.0.1:9: nothing listens there'],
      [`muster join ${elsewhere}#${secret}`, 8, 'is not muster'],
      [`muster join ${address}#${secret}.${'x'.repeat(43)}`, 2, 'uses none: copy the whole line'],
    ] as const) {
      const { code, err } = await tryToJoin(line, refused);
      expect({ code, err }, line).to.have.property('code', status);
      expect(err, line).to.include(words).and.not.to.include(secret);
      expect(existsSync(refused.home), line).to.equal(false);
    }
    other.close();
    const own = await tryToJoin(good, machineIn(place.path, 'central'));
    expect(own.err).to.include('has an installation, or a host, of its own');
    const twice = await tryToJoin(good, machineIn(place.path, 'second'));
    expect(twice.err).to.include('has joined').and.to.include('already, as host build-2');
    const home = join(place.path, 'lost');
    mkdirSync(home);
    writeFileSync(join(home, 'joined.json'), '{}', { mode: 0o600 });
    expect((await tryToJoin(good, { home })).err).to.include('does not say which installation');
  });
});
