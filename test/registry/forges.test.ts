import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ForgeConnection } from '#contract/forge-connection.ts';
import type { ForgePullRequest } from '#contract/pull-request.ts';
import { type LogProbe, logProbe } from '#test/bus/log-probe.ts';
import { type Double, transportTo } from '#test/forge/doubles/double.ts';
import { giteaDouble } from '#test/forge/doubles/gitea.ts';
import { githubDouble } from '#test/forge/doubles/github.ts';
import { ForgeWorld, pull } from '#test/forge/doubles/world.ts';
import { failureOf } from '#test/support/failure.ts';
import { type As, type RegistryFixture, registryFixture } from './registry-fixture.ts';

interface Page {
  readonly pullRequests?: ForgePullRequest[];
  readonly nextPageToken?: string;
}
type Made = ForgeConnection & { readonly id: string };

const finishedAt = '2026-03-01T10:00:00.000Z';

describe('forges that people connect', function () {
  this.timeout(60_000);
  let world: ForgeWorld;
  let fixture: RegistryFixture;
  let log: LogProbe;
  let asked: string[];
  let double: Double;

  beforeEach(async () => {
    world = new ForgeWorld();
    double = githubDouble(world);
    asked = [];
    log = logProbe();
    fixture = await registryFixture({
      log,
      environment: { FORGE_TOKEN: world.token },
      forgeTransport: transportTo((request) => {
        asked.push(request.url.host);
        return double(request);
      }),
    });
  });
  afterEach(() => fixture.close());

  const add = async (given: object = {}): Promise<Made> => {
    const request = { host: 'git.forge.test', kind: 'FORGE_KIND_GITHUB', credentialEnv: 'FORGE_TOKEN', ...given };
    return (await fixture.call<{ connection: Made }>('CreateForgeConnection', request)).connection;
  };
  const list = (request: object = {}, as: As = 'person') =>
    fixture.call<Page>('ListForgePullRequests', { remoteUrl: 'git@git.forge.test:acme/app.git', ...request }, as);
  const check = (connectionId: string) => fixture.call('CheckForgeConnection', { connectionId });
  const connections = async () =>
    (await fixture.call<{ connections?: Made[] }>('ListForgeConnections')).connections ?? [];
  const refusal = async (given: object) => {
    const { code, message } = await failureOf(() => add(given));
    expect(message).not.contain('canary');
    return code;
  };

  describe('are connections', () => {
    it('that are listed by their hosts and taken away, and told in the log of facts', async () => {
      const second = await add();
      const first = await add({ host: 'GitHub.com', credentialEnv: '', credentialCommand: ['gh', 'auth', 'token'] });
      expect(await connections()).deep.equal(
        [second, first].toSorted((a, b) => (a.host ?? '').localeCompare(b.host ?? '')),
      );
      expect(first).deep.include({ host: 'github.com', baseAddress: 'https://api.github.com' });
      expect(second.baseAddress).equal('https://git.forge.test');
      await fixture.call('DeleteForgeConnection', { connectionId: first.id });
      expect((await connections()).map(({ id }) => id)).deep.equal([second.id]);
      const { facts } = await fixture.call<{ facts: { kind: string }[] }>('ListFacts', { subjectId: first.id });
      expect(facts.map(({ kind }) => kind)).deep.equal(['forge.disconnected', 'forge.connected']);
      expect((await failureOf(() => list({ remoteUrl: 'https://github.com/acme/app' }))).code).equal(
        'failed_precondition',
      );
    });

    it('of which a host has one', async () => {
      const { id } = await add();
      const { code, message } = await failureOf(() => add({ kind: 'FORGE_KIND_GITLAB' }));
      expect([code, message.includes(id)]).deep.equal(['already_exists', true]);
    });

    it('that are no agent’s to see or to make', async () => {
      const { id } = await fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_ORCHESTRATOR' });
      for (const method of ['List', 'Create', 'Delete', 'Check'].map((verb) => `${verb}ForgeConnection`)) {
        const named = method === 'ListForgeConnection' ? 'ListForgeConnections' : method;
        expect((await failureOf(() => fixture.call(named, {}, { agentId: id }))).code).equal('permission_denied');
      }
    });

    it('with exactly one credential, that is one', async () => {
      const kept = { credentialEnv: '' };
      expect(await refusal(kept)).equal('invalid_argument');
      expect(await refusal({ credential: 'canary' })).equal('invalid_argument');
      expect(await refusal({ ...kept, credential: 'canary with blanks' })).equal('invalid_argument');
      expect(await refusal({ ...kept, credential: 'canary\r\nHost: x' })).equal('invalid_argument');
      expect(await refusal({ credentialEnv: 'canary-in-the-wrong-field' })).equal('invalid_argument');
      expect(await refusal({ ...kept, credentialFile: 'canary/relative' })).equal('invalid_argument');
      expect(await refusal({ ...kept, credentialCommand: [''] })).equal('invalid_argument');
    });

    it('to https, and to http on this machine alone', async () => {
      for (const baseAddress of [
        'http://git.forge.test',
        'http://10.0.0.1/',
        'http://169.254.169.254/latest',
        'ftp://git.forge.test',
        'https://user:canary@git.forge.test',
        'https://git.forge.test/?x=1',
        'file:///etc',
        'git.forge.test',
        'http://127.0.0.1.evil.test',
        'http://localhost.evil.test',
      ]) {
        expect(await refusal({ baseAddress }), baseAddress).equal('invalid_argument');
      }
      expect(await add({ baseAddress: 'http://127.0.0.1:3000/git/' })).include({
        baseAddress: 'http://127.0.0.1:3000/git',
      });
      expect(await add({ host: 'a.test', baseAddress: 'https://10.0.0.1/api/v3' })).include({
        baseAddress: 'https://10.0.0.1',
      });
    });

    it('by hosts that remotes can have', async () => {
      for (const host of ['a b', 'https://x.test', 'x.test/path', 'user@x.test', '-x.test:99999', '1', '']) {
        expect(await refusal({ host }), host).equal('invalid_argument');
      }
      expect(await add({ host: 'x.test:8443' })).include({ host: 'x.test:8443', baseAddress: 'https://x.test:8443' });
    });
  });

  describe('have credentials', () => {
    const works = async (given: object) => {
      const { id } = await add({ credentialEnv: '', ...given });
      return ((await check(id)) as { login: string }).login;
    };
    const refused = async (given: object) => {
      const { id } = await add({ credentialEnv: '', ...given });
      return failureOf(() => check(id));
    };

    it('that are kept encrypted, and open after a restart', async () => {
      expect(await works({ credential: world.token })).equal('robot');
      const key = join(fixture.folder.path, 'forge.key');
      expect(statSync(key).mode & 0o777).equal(0o600);
      await fixture.restart();
      expect((await connections())[0]).include({ credentialKept: true });
      expect(((await check((await connections())[0]?.id ?? '')) as { login: string }).login).equal('robot');
      for (const file of ['muster.db', 'muster.db-wal', 'forge.key']) {
        expect(readFileSync(join(fixture.folder.path, file), 'latin1'), file).not.contain(world.token);
      }
      writeFileSync(key, `${Buffer.alloc(32).toString('base64url')}\n`);
      await fixture.restart();
      const { code } = await failureOf(async () => check((await connections())[0]?.id ?? ''));
      expect(code).equal('failed_precondition');
    });

    it('in a file that its owner alone may read', async () => {
      const file = join(fixture.folder.path, 'token');
      writeFileSync(file, `${world.token}\n`, { mode: 0o600 });
      expect(await works({ credentialFile: file })).equal('robot');
      chmodSync(file, 0o640);
      const failure = await failureOf(async () => check((await connections())[0]?.id ?? ''));
      expect([failure.code, failure.message.includes('chmod 600')]).deep.equal(['failed_precondition', true]);
    });

    it('that a program prints, without a shell', async () => {
      expect(await works({ credentialCommand: ['printf', '%s\n', world.token] })).equal('robot');
      expect((await refused({ host: 'b.test', credentialCommand: ['echo', '$(id)', ';', 'id'] })).message).contain(
        'no credential',
      );
      expect((await refused({ host: 'c.test', credentialCommand: ['false'] })).message).contain('ended with 1');
      expect((await refused({ host: 'd.test', credentialCommand: ['no-such-program'] })).code).equal(
        'failed_precondition',
      );
    });

    it('that a program prints anew once the forge has refused the old one', async () => {
      const file = join(fixture.folder.path, 'printed');
      writeFileSync(file, 'canary-expired');
      const { id } = await add({ credentialEnv: '', credentialCommand: ['cat', file] });
      expect((await failureOf(() => check(id))).message).contain('refused the credential');
      writeFileSync(file, world.token);
      expect(((await check(id)) as { login: string }).login).equal('robot');
      writeFileSync(file, 'canary-not-asked-for-again');
      expect(((await check(id)) as { login: string }).login).equal('robot');
      fixture.clock.pass(5 * 60_000);
      expect((await failureOf(() => check(id))).code).equal('failed_precondition');
    });

    it('that are checked, which tells where it is the address that is wrong', async () => {
      const { id } = await add({ kind: 'FORGE_KIND_GITEA' });
      double = () => ({ status: 404, body: '<html>' });
      const failure = await failureOf(() => check(id));
      expect([failure.code, failure.message.includes('no forge of that kind')]).deep.equal([
        'failed_precondition',
        true,
      ]);
    });

    it('that are told nowhere', async () => {
      await works({ credential: world.token });
      const { id } = await add({ host: 'e.test', credentialEnv: '', credential: 'canary-credential-wrong' });
      const failure = await failureOf(() => check(id));
      expect(failure.code).equal('failed_precondition');
      const { facts } = await fixture.call<{ facts: unknown[] }>('ListFacts');
      const told = JSON.stringify([failure.message, await connections(), facts, log.lines]);
      expect(told).not.contain('canary');
    });
  });

  describe('are asked for pull requests', () => {
    beforeEach(() => {
      world.repository('acme/app', {
        pulls: [
          pull(1, { branch: 'login', state: 'MERGED', finishedAt }),
          pull(2, { branch: 'login' }),
          ...Array.from({ length: 30 }, (_, index) => pull(index + 3)),
        ],
      });
    });

    it('twenty at a time, the open ones, in the forge’s order', async () => {
      await add();
      const first = await list();
      expect(first.pullRequests?.map(({ number }) => number)).deep.equal(
        Array.from({ length: 20 }, (_, index) => 32 - index),
      );
      const rest = await list({ pagination: { cursor: first.nextPageToken } });
      expect(rest.pullRequests).length(11);
      expect(rest).not.have.property('nextPageToken');
      expect((await list({ pagination: { pageSize: 1_000 } })).pullRequests).length(31);
      expect((await failureOf(() => list({ pagination: { pageSize: -1 } }))).code).equal('invalid_argument');
    });

    it('by branch in every state, with every field and no more', async () => {
      await add();
      const { pullRequests = [] } = await list({ remoteUrl: 'https://git.forge.test/acme/app', branch: 'login' });
      expect(pullRequests.map(({ number, state }) => [number, state])).deep.equal([
        [2, 'OPEN'],
        [1, 'MERGED'],
      ]);
      expect(pullRequests[1]).deep.equal({
        forge: 'github',
        providerId: 'PR_acme/app_1',
        url: 'https://forge.test/acme/app/pull/1',
        repositoryUrl: 'https://forge.test/acme/app',
        headRepositoryUrl: 'https://forge.test/acme/app',
        number: 1,
        title: 'Change 1',
        headBranch: 'login',
        headSha: pull(1).headSha,
        baseBranch: 'main',
        baseSha: pull(1).baseSha,
        draft: false,
        state: 'MERGED',
        createdAt: '2026-01-01T00:01:00.000Z',
        updatedAt: '2026-02-01T00:01:00.000Z',
        mergedAt: finishedAt,
        closedAt: finishedAt,
      });
    });

    it('with a cursor that holds for its own listing alone', async () => {
      const { id } = await add();
      const { nextPageToken: cursor } = await list();
      world.repository('acme/other', { pulls: [pull(1)] });
      for (const request of [
        { branch: 'login' },
        { remoteUrl: 'git@git.forge.test:acme/other' },
        { pagination: { cursor: `x${cursor}` } },
        { pagination: { cursor: Buffer.from('{"kind":"forge-pull-requests"}').toString('base64url') } },
      ]) {
        const failure = await failureOf(() => list({ pagination: { cursor }, ...request }));
        expect(failure.code).equal('invalid_argument');
      }
      await fixture.call('DeleteForgeConnection', { connectionId: id });
      await add();
      expect((await failureOf(() => list({ pagination: { cursor } }))).code).equal('invalid_argument');
    });

    it('and tell one that is not there from one that may not be seen by nothing', async () => {
      await add();
      world.repository('acme/hidden', { isSeen: false, pulls: [pull(1)] });
      const outcomes: unknown[] = [];
      for (const name of ['hidden', 'absent']) {
        log.lines.length = 0;
        const { code, message } = await failureOf(() => list({ remoteUrl: `git@git.forge.test:acme/${name}` }));
        outcomes.push([code, message, log.lines.map((line) => line.replace(/"(ms|took)":[\d.]+/, ''))]);
      }
      expect(outcomes[0]).deep.equal(outcomes[1]);
      expect(outcomes[0]).deep.include('not_found');
    });

    it('by orchestrators too, and by no other agents', async () => {
      await add();
      const lead = await fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_ORCHESTRATOR' });
      expect((await list({}, { agentId: lead.id })).pullRequests).length(20);
      const worker = await fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_IMPLEMENTER' });
      expect((await failureOf(() => list({}, { agentId: worker.id }))).code).equal('permission_denied');
    });

    it('and nothing of it is stored', async () => {
      await add();
      const { facts: before } = await fixture.call<{ facts: unknown[] }>('ListFacts');
      const { writes } = fixture.store;
      await list();
      expect(fixture.store.writes).equal(writes);
      expect((await fixture.call<{ facts: unknown[] }>('ListFacts')).facts).deep.equal(before);
    });

    it('under the path that a forge stands below', async () => {
      double = giteaDouble(world);
      fixture.clock.pass(1_000);
      await add({ kind: 'FORGE_KIND_GITEA', baseAddress: 'https://git.forge.test' });
      expect((await list({ pagination: { pageSize: 2 } })).pullRequests?.map(({ forge }) => forge)).deep.equal([
        'gitea',
        'gitea',
      ]);
      expect(new Set(asked)).deep.equal(new Set(['git.forge.test']));
    });

    it('and each way in which they fail has its own answer', async () => {
      await add();
      const answers: readonly (readonly [
        status: number,
        headers: Record<string, string>,
        code: string,
        says: RegExp,
      ])[] = [
        [401, {}, 'failed_precondition', /credential/],
        [403, {}, 'not_found', /no such repository/],
        [404, {}, 'not_found', /no such repository/],
        [500, {}, 'unavailable', /failed \(status 500\)/],
        [301, { location: 'https://elsewhere.test/' }, 'failed_precondition', /another address/],
        [200, {}, 'unavailable', /cannot be read/],
        [429, {}, 'unavailable', /asked too much/],
        [429, { 'retry-after': '60' }, 'unavailable', /may be asked again from \d{4}-/],
      ];
      for (const [status, headers, code, says] of answers) {
        double = () => ({ status, headers, body: '<html>' });
        const failure = await failureOf(() => list());
        expect(failure.code, `status ${status}`).equal(code);
        expect(failure.message).match(says);
      }
      double = () => {
        throw new TypeError('fetch failed');
      };
      fixture.clock.pass(61_000);
      expect((await failureOf(() => list())).code).equal('unavailable');
    });
  });
});
