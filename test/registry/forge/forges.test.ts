import { expect } from 'chai';
import type { ForgePullRequest } from '#contract/forge/pull-request.ts';
import { confirmed } from '#test/channels/forge-requests.ts';
import { giteaDouble } from '#test/forge/doubles/gitea.ts';
import { pull } from '#test/forge/doubles/world.ts';
import { failureOf } from '#test/support/failure.ts';
import type { As, RegistryFixture } from '../registry-fixture.ts';
import { type ForgeStage, forgeStage } from './forge-stage.ts';

interface Page {
  readonly pullRequests?: ForgePullRequest[];
  readonly nextPageToken?: string;
}

const finishedAt = '2026-03-01T10:00:00.000Z';

describe('forges that people connect', () => {
  let stage: ForgeStage;
  let fixture: RegistryFixture;
  beforeEach(async () => {
    stage = await forgeStage();
    fixture = stage.fixture;
  });
  afterEach(() => fixture.close());

  const add = (given?: object) => stage.add(given);
  const connections = () => stage.connections();
  const list = (request: object = {}, as: As = 'person') =>
    fixture.call<Page>('ListForgePullRequests', { remoteUrl: 'git@git.forge.test:acme/app.git', ...request }, as);
  const refusal = async (given: object) => {
    const { code, message } = await failureOf(() => add(given));
    expect(message).not.contain('canary');
    return code;
  };

  describe('are connections', () => {
    it('that are listed by host, removed, and logged as facts', async () => {
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

    it('that no agent may read or create', async () => {
      const { id } = await fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_ORCHESTRATOR' });
      for (const method of ['List', 'Create', 'Delete', 'Check'].map((verb) => `${verb}ForgeConnection`)) {
        const named = method === 'ListForgeConnection' ? 'ListForgeConnections' : method;
        expect((await failureOf(() => fixture.call(named, {}, { agentId: id }))).code).equal('permission_denied');
      }
    });

    it('with exactly one valid credential', async () => {
      const kept = { credentialEnv: '' };
      expect(await refusal(kept)).equal('invalid_argument');
      expect(await refusal({ credential: 'canary' })).equal('invalid_argument');
      expect(await refusal({ ...kept, credential: 'canary with blanks' })).equal('invalid_argument');
      expect(await refusal({ ...kept, credential: 'canary\r\nHost: x' })).equal('invalid_argument');
      expect(await refusal({ credentialEnv: 'canary-in-the-wrong-field' })).equal('invalid_argument');
      expect(await refusal({ ...kept, credentialFile: 'canary/relative' })).equal('invalid_argument');
      expect(await refusal({ ...kept, credentialCommand: [''] })).equal('invalid_argument');
    });

    it('over https, or http on this machine only', async () => {
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

    it('with valid hosts of remotes', async () => {
      for (const host of ['a b', 'https://x.test', 'x.test/path', 'user@x.test', '-x.test:99999', '1', '']) {
        expect(await refusal({ host }), host).equal('invalid_argument');
      }
      expect(await add({ host: 'x.test:8443' })).include({ host: 'x.test:8443', baseAddress: 'https://x.test:8443' });
    });
  });

  describe('return pull requests', () => {
    beforeEach(() => {
      stage.world.repository('acme/app', {
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

    it('by branch in every state, with exactly the contract’s fields', async () => {
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

    it('with a cursor that is valid for its own listing only', async () => {
      const { id } = await add();
      const { nextPageToken: cursor } = await list();
      stage.world.repository('acme/other', { pulls: [pull(1)] });
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

    it('and do not distinguish missing from unreadable repositories', async () => {
      await add();
      stage.world.repository('acme/hidden', { isSeen: false, pulls: [pull(1)] });
      const outcomes: unknown[] = [];
      for (const name of ['hidden', 'absent']) {
        stage.log.lines.length = 0;
        const { code, message } = await failureOf(() => list({ remoteUrl: `git@git.forge.test:acme/${name}` }));
        outcomes.push([code, message, stage.log.lines.map((line) => line.replace(/"(ms|took)":[\d.]+/, ''))]);
      }
      expect(outcomes[0]).deep.equal(outcomes[1]);
      expect(outcomes[0]).deep.include('not_found');
    });

    it('to orchestrators too, and to no other agents', async () => {
      await add();
      const lead = await fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_ORCHESTRATOR' });
      expect((await failureOf(() => list({}, { agentId: lead.id }))).code).equal('not_found');
      await confirmed(fixture, 'git@git.forge.test:acme/app');
      expect((await list({}, { agentId: lead.id })).pullRequests).length(20);
      const worker = await fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_IMPLEMENTER' });
      expect((await failureOf(() => list({}, { agentId: worker.id }))).code).equal('permission_denied');
    });

    it('and none is stored', async () => {
      await add();
      const { facts: before } = await fixture.call<{ facts: unknown[] }>('ListFacts');
      const stored = () =>
        fixture.store.read(async ({ pullRequests, repositories }) => [
          await pullRequests.page({ limit: 200 }),
          (await repositories.awake()).map(({ id }) => id),
        ]);
      const rows = await stored();
      expect((await list()).pullRequests).to.not.deep.equal([]);
      expect(await stored()).deep.equal(rows);
      expect((await fixture.call<{ facts: unknown[] }>('ListFacts')).facts).deep.equal(before);
    });

    it('from a forge below a path', async () => {
      const gitea = giteaDouble(stage.world);
      stage.double = ({ url, ...request }) => {
        expect(url.pathname).match(/^\/sub\/api\/v1\//);
        return gitea({ ...request, url: new URL(url.href.replace('/sub/', '/')) });
      };
      await add({ kind: 'FORGE_KIND_GITEA', baseAddress: 'https://git.forge.test/sub/' });
      for (const remoteUrl of ['https://git.forge.test/sub/acme/app.git', 'git@git.forge.test:acme/app']) {
        const { pullRequests = [] } = await list({ remoteUrl, pagination: { pageSize: 2 } });
        expect(pullRequests.map(({ forge }) => forge)).deep.equal(['gitea', 'gitea']);
      }
      expect(new Set(stage.asked)).deep.equal(new Set(['git.forge.test']));
    });

    it('and each kind of fault has its own answer', async () => {
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
        [429, {}, 'unavailable', /reached its rate limit/],
        [429, { 'retry-after': '60' }, 'unavailable', /accepts requests again from \d{4}-/],
      ];
      for (const [status, headers, code, says] of answers) {
        stage.double = () => ({ status, headers, body: '<html>' });
        const failure = await failureOf(() => list());
        expect(failure.code, `status ${status}`).equal(code);
        expect(failure.message).match(says);
      }
      stage.double = () => {
        throw new TypeError('fetch failed');
      };
      fixture.clock.pass(61_000);
      expect((await failureOf(() => list())).code).equal('unavailable');
    });
  });
});
