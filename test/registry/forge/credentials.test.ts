import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import type { RegistryFixture } from '../registry-fixture.ts';
import { type ForgeStage, forgeStage } from './forge-stage.ts';

describe('the credentials of forges', () => {
  let stage: ForgeStage;
  let fixture: RegistryFixture;
  beforeEach(async () => {
    stage = await forgeStage();
    fixture = stage.fixture;
  });
  afterEach(() => fixture.close());

  const add = (given?: object) => stage.add(given);
  const check = (id: string) => stage.check(id);
  const connections = () => stage.connections();

  const works = async (given: object) => {
    const { id } = await add({ credentialEnv: '', ...given });
    return (await check(id)).login;
  };
  const refused = async (given: object) => {
    const { id } = await add({ credentialEnv: '', ...given });
    return failureOf(() => check(id));
  };

  it('are stored encrypted, and decrypted after a restart', async () => {
    expect(await works({ credential: stage.world.token })).equal('robot');
    const key = join(fixture.folder.path, 'forge.key');
    expect(statSync(key).mode & 0o777).equal(0o600);
    await fixture.restart();
    expect((await connections())[0]).include({ credentialKept: true });
    expect((await check((await connections())[0]?.id ?? '')).login).equal('robot');
    const kept = [await stage.fixture.database.content(), readFileSync(key, 'utf8')];
    for (const text of kept) expect(text).not.contain(stage.world.token);
    writeFileSync(key, `${Buffer.alloc(32).toString('base64url')}\n`);
    await fixture.restart();
    const { code } = await failureOf(async () => check((await connections())[0]?.id ?? ''));
    expect(code).equal('failed_precondition');
  });

  it('are read from a file that only its owner may read', async () => {
    const file = join(fixture.folder.path, 'token');
    writeFileSync(file, `${stage.world.token}\n`, { mode: 0o600 });
    expect(await works({ credentialFile: file })).equal('robot');
    chmodSync(file, 0o640);
    const failure = await failureOf(async () => check((await connections())[0]?.id ?? ''));
    expect([failure.code, failure.message.includes('chmod 600')]).deep.equal(['failed_precondition', true]);
  });

  it('are printed by a program, without a shell', async () => {
    expect(await works({ credentialCommand: ['printf', '%s\n', stage.world.token] })).equal('robot');
    expect((await refused({ host: 'b.test', credentialCommand: ['echo', '$(id)', ';', 'id'] })).message).contain(
      'not a credential',
    );
    expect((await refused({ host: 'c.test', credentialCommand: ['false'] })).message).contain('ended with 1');
    expect((await refused({ host: 'd.test', credentialCommand: ['no-such-program'] })).code).equal(
      'failed_precondition',
    );
  });

  it('are printed again once the forge has refused the old one', async () => {
    const file = join(fixture.folder.path, 'printed');
    writeFileSync(file, 'canary-expired');
    const { id } = await add({ credentialEnv: '', credentialCommand: ['cat', file] });
    expect((await failureOf(() => check(id))).message).contain('refused the credential');
    writeFileSync(file, stage.world.token);
    expect((await check(id)).login).equal('robot');
    writeFileSync(file, 'canary-not-asked-for-again');
    expect((await check(id)).login).equal('robot');
    fixture.clock.pass(5 * 60_000);
    expect((await failureOf(() => check(id))).code).equal('failed_precondition');
  });

  it('are checked, and a wrong address is reported', async () => {
    const { id } = await add({ kind: 'FORGE_KIND_GITEA' });
    stage.double = () => ({ status: 404, body: '<html>' });
    const failure = await failureOf(() => check(id));
    expect([failure.code, failure.message.includes('not a forge of that kind')]).deep.equal([
      'failed_precondition',
      true,
    ]);
  });

  it('appear nowhere', async () => {
    await works({ credential: stage.world.token });
    const { id } = await add({ host: 'e.test', credentialEnv: '', credential: 'canary-credential-wrong' });
    const failure = await failureOf(() => check(id));
    expect(failure.code).equal('failed_precondition');
    const { facts } = await fixture.call<{ facts: unknown[] }>('ListFacts');
    const told = JSON.stringify([failure.message, await connections(), facts, stage.log.lines]);
    expect(told).not.contain('canary');
  });
});
