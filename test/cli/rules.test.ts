import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { builtIn } from '#machines/harness/table.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { runInside } from './command-line.ts';

const rule = {
  id: 'house/really',
  priority: 900,
  state: 'AGENT_STATE_WAITING',
  reason: 'question',
  all: [{ in: 'screen', row: '^Really\\?' }],
};

describe('muster rules', () => {
  let home: TemporaryFolder;
  const at = (...names: string[]) => join(home.path, ...names);
  const installed = () => at('rules', 'installed.bundle');

  beforeEach(() => {
    home = temporaryFolder('rules');
    makeKey('own');
    makeKey('other');
  });
  afterEach(() => home.remove());

  const muster = (argv: string[], env: Record<string, string> = {}) =>
    runInside(argv, { env: { MUSTER_HOME: home.path, ...env } });
  const rules = (...argv: string[]) => muster(['rules', ...argv]);

  function makeKey(name: string): void {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(at(`${name}.pub`), publicKey.export({ type: 'spki', format: 'pem' }));
    writeFileSync(at(`${name}.key`), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  }

  /** A bundle of rules for claude, signed; answers with its path. */
  async function bundle(
    serial = 1,
    file: object = { recordedWith: '9.0.0', rules: [rule] },
    key = 'own',
  ): Promise<string> {
    writeFileSync(at('claude.json'), JSON.stringify(file));
    const { code, out, err } = await rules('sign', at(`${key}.key`), at('claude.json'), '--serial', String(serial));
    expect(code, err).to.equal(0);
    writeFileSync(at(`bundle-${serial}`), out);
    return at(`bundle-${serial}`);
  }

  /** Updates, which is refused; answers with why. */
  async function refusal(path: string): Promise<string> {
    const before = existsSync(installed()) ? readFileSync(installed(), 'utf8') : undefined;
    const { code, err } = await rules('update', path);
    expect(code, err).not.to.equal(0);
    expect(existsSync(installed()) ? readFileSync(installed(), 'utf8') : undefined).to.equal(before);
    return err;
  }

  const listed = async () =>
    (JSON.parse((await muster(['harness', 'ls', '-o', 'json'])).out) as { name: string; rules: object }[]).find(
      ({ name }) => name === 'claude',
    )?.rules;

  it('are not replaced while the installed bundle cannot be compared', async () => {
    await rules('trust', at('own.pub'));
    expect((await rules('update', await bundle(7))).code).to.equal(0);
    const older = await bundle(2);
    writeFileSync(installed(), `${readFileSync(installed(), 'utf8')}damage`);
    expect(await refusal(older))
      .to.match(/cannot be compared/)
      .and.include('muster rules remove');
  });

  it('leave a person’s own rules in force if the trusted keys cannot be read', async () => {
    await rules('trust', at('own.pub'));
    expect((await rules('update', await bundle())).code).to.equal(0);
    writeFileSync(at('rules', 'house.json'), '{"launch": {"command": "sh"}}');
    rmSync(at('rules', 'trusted.keys'));
    mkdirSync(at('rules', 'trusted.keys'));
    const { code, out, err } = await muster(['harness', 'ls', '-o', 'json']);
    expect(code, err).to.equal(0);
    expect(out).to.include('"house"');
  });

  it('are inactive until a key is trusted, and then read screens until they are removed', async () => {
    const path = await bundle();
    expect((await rules()).out).to.match(/^no signed rules are installed.*\nno key is trusted/);
    expect(await refusal(path)).to.match(/which you do not trust/);
    expect((await rules('trust', at('own.pub'))).out).to.match(/^rules signed with [0-9a-f]{64} may be installed/);
    const { code, out, err } = await rules('update', path);
    expect(code, err).to.equal(0);
    expect(out)
      .to.match(/serial +1\n/)
      .and.match(/^claude, recorded with 9\.0\.0: in use$/m);
    expect(await listed()).to.include({ file: installed(), recordedWith: '9.0.0' });
    writeFileSync(at('screen'), 'Really?\n');
    const why = ['why', '--screen', at('screen'), '--harness', 'claude', '-o', 'json'];
    expect(JSON.parse((await muster(why)).out).reading).to.include({ rule: 'house/really' });
    expect((await rules('remove')).code).to.equal(0);
    expect(JSON.parse((await muster(why)).out).reading).not.to.include({ rule: 'house/really' });
    expect(await listed())
      .to.include({ recordedWith: builtIn.find('claude')?.recordedWith })
      .and.not.to.have.property('file');
    expect((await rules('remove')).err).to.match(/no bundle of rules is installed/);
  });

  it('are refused as a whole after any error', async () => {
    await rules('trust', at('own.pub'));
    const good = await bundle(5);
    const envelope = JSON.parse(readFileSync(good, 'utf8')) as Record<string, string>;
    const payload = JSON.parse(Buffer.from(envelope['payload'] ?? '', 'base64').toString()) as object;
    const changed = (name: string, change: object) => {
      writeFileSync(at(name), JSON.stringify({ ...envelope, ...change }));
      return at(name);
    };
    const other = Buffer.from(JSON.stringify({ ...payload, serial: 6 })).toString('base64');
    expect(await refusal(changed('payload', { payload: other }))).to.match(/signature does not match/);
    expect(await refusal(changed('format', { format: 'muster-rules/2' }))).to.match(/another version of muster/);
    expect(await refusal(changed('more', { more: 1 }))).to.match(/is not a signed bundle/);
    expect(await refusal(changed('key', { key: '0'.repeat(64) }))).to.match(/which you do not trust/);
    expect(await refusal(await bundle(5, undefined, 'other'))).to.match(/which you do not trust/);
    writeFileSync(at('text'), 'not JSON');
    expect(await refusal(at('text'))).to.match(/is not JSON/);
    expect(await refusal(at('absent'))).to.match(/cannot be read/);
    const old = await bundle(1, { recordedWith: '1.0.0', rules: [rule] });
    expect(await refusal(old)).to.match(/recorded with 1\.0\.0, those built in with/);
    expect((await rules('sign', at('own.key'), at('own.pub'), '--serial', '1')).code).not.to.equal(0);
  });

  it('are never older than the installed ones, nor of another publisher', async () => {
    for (const key of ['own', 'other']) await rules('trust', at(`${key}.pub`));
    expect((await rules('update', await bundle(7))).code).to.equal(0);
    for (const serial of [6, 7]) expect(await refusal(await bundle(serial))).to.match(/and 7 is installed/);
    expect(await refusal(await bundle(8, undefined, 'other'))).to.match(/signed with another key/);
    expect((await rules('update', await bundle(8))).code).to.equal(0);
  });

  it('are never older than earlier installed ones, until the key is distrusted', async () => {
    const [, key = ''] = /with ([0-9a-f]+)/.exec((await rules('trust', at('own.pub'))).out) ?? [];
    expect((await rules('update', await bundle(7))).code).to.equal(0);
    expect((await rules('remove')).code).to.equal(0);
    expect(await refusal(await bundle(6)))
      .to.match(/serial 6, and 7 was installed before/)
      .and.include(`muster rules distrust ${key.slice(0, 8)}`);
    expect((await rules('update', await bundle(7))).code).to.equal(0);
    expect((await rules('remove')).code).to.equal(0);
    expect((await rules('distrust', key)).code).to.equal(0);
    await rules('trust', at('own.pub'));
    expect((await rules('update', await bundle(6))).code).to.equal(0);
  });

  it('become inactive once their key is distrusted, with a notice', async () => {
    const [, key = ''] = /with ([0-9a-f]+)/.exec((await rules('trust', at('own.pub'))).out) ?? [];
    await rules('update', await bundle());
    expect((await rules('distrust', key.slice(0, 8))).code).to.equal(0);
    expect((await rules()).out).to.match(/not in use +\S+installed\.bundle is signed with the key/);
    expect((await muster(['harness', 'check'])).out).to.include('refused, and the built-in version stays in use');
    expect(await listed()).not.to.have.property('file');
  });

  it('do not override a person’s own file', async () => {
    await rules('trust', at('own.pub'));
    mkdirSync(at('rules'), { recursive: true });
    writeFileSync(at('rules', 'claude.json'), '{}');
    expect((await rules('update', await bundle())).out).to.match(
      /^claude, .*: not in use, \S+claude\.json is your own$/m,
    );
    expect(await listed()).to.include({ file: at('rules', 'claude.json') });
  });

  it('need a person’s confirmation for their launches, like any file', async () => {
    await rules('trust', at('own.pub'));
    await rules('update', await bundle(1, { recordedWith: '9.0.0', launch: { command: 'evil' } }));
    const claude = (JSON.parse((await muster(['harness', 'ls', '-o', 'json'])).out) as { name: string }[]).find(
      ({ name }) => name === 'claude',
    );
    expect(claude).to.deep.include({ standing: 'unknown' }).and.to.have.property('launch');
  });

  it('cannot be installed, removed or trusted by agents', async () => {
    const path = await bundle();
    const env = { SERVICE_AGENT_ID: 'agt_01JD6Z8Q4V5N7W2K3M9R0TXYAB', SERVICE_TOKEN: 'mst_x' };
    for (const argv of [['trust', at('own.pub')], ['update', path], ['remove'], ['distrust', 'a']]) {
      const { code, err } = await muster(['rules', ...argv], env);
      expect(code, argv.join(' ')).not.to.equal(0);
      expect(err).to.match(/only people install rules/);
    }
    expect(existsSync(at('rules'))).to.equal(false);
  });

  it('accept signatures by Ed25519 keys only', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(at('rsa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    for (const name of ['rsa.pub', 'own.key', 'absent']) {
      expect((await rules('trust', at(name))).code, name).not.to.equal(0);
    }
    expect((await rules()).out).to.match(/no key is trusted/);
  });
});
