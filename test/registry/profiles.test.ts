import { expect } from 'chai';
import type { Profile } from '#contract/profile/profile.ts';
import type { Workflow } from '#contract/workflow.ts';
import { failureOf } from '#test/support/failure.ts';
import { type Made, type RegistryFixture, registryFixture } from './registry-fixture.ts';

describe('profiles', () => {
  let fixture: RegistryFixture;

  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());

  const canary = 'hunter2-of-a-profile';
  const whole = {
    name: 'Work',
    environment: ['REGION=eu'],
    secrets: [
      { variable: 'API_KEY', value: canary },
      { variable: 'NPM_TOKEN', env: 'WORK_NPM_TOKEN' },
      { variable: 'SSH_PASS', command: ['op', 'read', 'op://work/ssh'] },
    ],
    home: '~/.claude-work',
    account: 'work@example.org',
  };
  const create = async (given: object) =>
    (await fixture.call<{ profile: Made<Profile> }>('CreateProfile', given)).profile;
  const update = async (profileId: string, given: object) =>
    (await fixture.call<{ profile: Made<Profile> }>('UpdateProfile', { profileId, ...given })).profile;
  const list = async () => (await fixture.call<{ profiles: Made<Profile>[] }>('ListProfiles')).profiles;

  it('show the source of each secret, and no secret in any answer, row or fact', async () => {
    const made = await create(whole);
    expect(made).to.deep.include({ name: 'Work', environment: ['REGION=eu'], account: 'work@example.org' });
    expect(made.secrets).to.deep.equal([
      { variable: 'API_KEY', kept: true },
      { variable: 'NPM_TOKEN', env: 'WORK_NPM_TOKEN', kept: false },
      { variable: 'SSH_PASS', command: ['op', 'read', 'op://work/ssh'], kept: false },
    ]);
    expect(await list()).to.deep.equal([made]);
    const rows = await fixture.store.read(async ({ profiles, facts }) =>
      JSON.stringify([await profiles.find(made.id), await facts.after(0n, 1_000)], (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    );
    expect(rows).to.include(made.id).and.not.to.include(canary);
    await fixture.restart();
    expect(await list()).to.deep.equal([made]);
  });

  it('replace secrets by variable, remove named ones, and keep the others', async () => {
    const { id } = await create(whole);
    const next = await update(id, {
      secrets: [{ variable: 'NPM_TOKEN', file: '/run/npm' }],
      removeSecrets: ['SSH_PASS'],
      clear: ['home'],
    });
    expect(next.secrets).to.deep.equal([
      { variable: 'API_KEY', kept: true },
      { variable: 'NPM_TOKEN', file: '/run/npm', kept: false },
    ]);
    expect([next.home, next.account]).to.deep.equal([undefined, 'work@example.org']);
  });

  const refused = [
    { what: 'no source', given: { secrets: [{ variable: 'A' }] } },
    { what: 'two sources', given: { secrets: [{ variable: 'A', env: 'B', file: '/c' }] } },
    { what: 'a variable that muster sets', given: { secrets: [{ variable: 'SERVICE_TOKEN', env: 'B' }] } },
    { what: 'a variable that loads code', given: { secrets: [{ variable: 'LD_PRELOAD', env: 'B' }] } },
    { what: 'a variable twice', given: { environment: ['A=1'], secrets: [{ variable: 'A', env: 'B' }] } },
    { what: 'a relative file', given: { secrets: [{ variable: 'A', file: 'key' }] } },
    { what: 'a variable without a value', given: { environment: ['A'] } },
  ];
  for (const { what, given } of refused) {
    it(`refuse ${what}, without its value`, async () => {
      const failure = await failureOf(() => create({ name: 'bad', ...given }));
      expect(failure.code).to.equal('invalid_argument');
      expect(await list()).to.deep.equal([]);
    });
  }

  it('are used by id or by the workflow, and cannot be deleted while in use', async () => {
    const [own, other] = [await create({ name: 'own' }), await create({ name: 'other' })];
    const workflow: Made<Workflow> = await fixture.workflow({ profileId: own.id });
    const plain = await fixture.create({ workflowId: workflow.id });
    const named = await fixture.create({ workflowId: workflow.id, profileId: other.id });
    const profileIdOf = async (id: string) => (await fixture.host.registry.load(id)).launch.profileId;
    expect([await profileIdOf(plain.id), await profileIdOf(named.id)]).to.deep.equal([own.id, other.id]);
    for (const { id } of [own, other]) {
      const failure = await failureOf(() => fixture.call('DeleteProfile', { profileId: id }));
      expect(failure.reason).to.equal('PROFILE_IN_USE');
    }
    await update(own.id, { account: 'me@example.org' });
    const { agent: row } = await fixture.call<{ agent: { account?: string } }>('GetAgent', { agentId: plain.id });
    expect(row.account).to.equal('me@example.org');
    const unknown = await failureOf(() => fixture.create({ workflowId: workflow.id, profileId: 'prf_none' }));
    expect(unknown.reason).to.equal('PROFILE_NOT_FOUND');
  });

  it('are inherited by an agent’s launches, without another choice', async () => {
    const [own, other] = [await create({ name: 'own' }), await create({ name: 'other' })];
    const workflow: Made<Workflow> = await fixture.workflow();
    const launched = { workflowId: workflow.id, role: 'AGENT_ROLE_ORCHESTRATOR' as const, provisionEnabled: false };
    const agent = await fixture.create({ ...launched, profileId: own.id });
    const as = { agentId: agent.id };
    const launch = (given: object) =>
      fixture.call<{ agent: { id: string } }>('CreateAgent', { workflowId: workflow.id, prompt: 'a', ...given }, as);
    const child = (await launch({})).agent;
    expect((await fixture.host.registry.load(child.id)).launch.profileId).to.equal(own.id);
    expect((await failureOf(() => launch({ profileId: other.id }))).reason).to.equal('BEYOND_OWN_RIGHTS');
    // A profile that the workflow gets later is not for agents that its agents launch.
    await fixture.call('UpdateWorkflow', { workflowId: workflow.id, profileId: other.id });
    expect((await fixture.host.registry.load((await launch({})).agent.id)).launch.profileId).to.equal(own.id);
    const theirs = await fixture.create({ workflowId: workflow.id, provisionEnabled: false });
    await fixture.host.bringUp(theirs.id);
    const steered = () => fixture.call('PromptAgent', { agentId: theirs.id, prompt: 'go' }, as);
    expect((await failureOf(steered)).reason).to.equal('BEYOND_OWN_RIGHTS');
    expect((await failureOf(() => fixture.call('ListProfiles', {}, as))).code).to.equal('permission_denied');
  });

  it('reach only the host of an agent that has one, with stored secrets decrypted', async () => {
    const { id: profileId } = await create(whole);
    const { id } = await fixture.create({ profileId, provisionEnabled: false });
    const given = await fixture.host.registry.profile(id, 1);
    expect(given).to.deep.include({ name: 'Work', home: '~/.claude-work', environment: ['REGION=eu'] });
    expect(given?.secrets[0]).to.deep.equal({ variable: 'API_KEY', value: canary });
    expect((await failureOf(() => fixture.host.registry.profile(id, 7))).code).to.equal('failed_precondition');
  });
});
