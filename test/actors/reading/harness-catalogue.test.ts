import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { type ConfirmedDigests, HarnessCatalogue } from '#actors/host/reading/harness-catalogue.ts';
import { paneObserver } from '#actors/host/reading/observation.ts';
import type { HarnessFile } from '#contract/pane/harness-file.ts';
import type { Log } from '#contract/process-context.ts';
import { launchTextOf } from '#machines/harness/launch-part.ts';
import { builtIn } from '#machines/harness/table.ts';
import { captureOf } from '#test/pane/screen-corpus.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { signBundle } from '#world/file/signed-rules.ts';
import { sha256Of } from '#world/file/text-digest.ts';
import { publicKeyIn, writeTrustedKeys } from '#world/file/trusted-keys.ts';
import type { Terminal } from '#world/terminal/terminal.ts';
import { silent } from '../actor-fixture.ts';

const digestOf = (name: string, file: HarnessFile) => sha256Of(launchTextOf(name, file, false) ?? '');

describe('the rules of a host', () => {
  let folder: TemporaryFolder;
  let catalogue: HarnessCatalogue;
  let warnings: Record<string, unknown>[];
  const path = (name: string) => join(folder.path, 'rules', name);

  beforeEach(() => {
    folder = temporaryFolder('rules');
    mkdirSync(join(folder.path, 'rules'));
    warnings = [];
  });
  afterEach(() => {
    catalogue.stop();
    folder.remove();
  });

  /** Digests of launches that are nothing but this program. */
  const readConfirmed = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, digestOf(name, { launch: { command: name } })]));
  const open = async (confirmed: ConfirmedDigests = readConfirmed('one', 'two', 'other')) => {
    const warn = (fields: unknown) => void warnings.push(fields as Record<string, unknown>);
    const log: Log = { ...silent, warn, child: () => log };
    catalogue = await HarnessCatalogue.open({ folder: join(folder.path, 'rules'), builtIn, log, confirmed });
    return catalogue;
  };
  const add = (name: string, value: object) => {
    writeFileSync(path(`${name}.tmp`), JSON.stringify(value, null, 2));
    renameSync(path(`${name}.tmp`), path(name));
  };
  const isThere = (name: string) => () => catalogue.find(name) !== undefined;

  it('are read at the start, and when a file is added, changed or removed', async () => {
    add('one.json', { launch: { command: 'one' } });
    await open();
    expect(catalogue.find('one')?.command).to.equal('one');
    add('two.json', { launch: { command: 'two' } });
    await moment('the file that came', isThere('two'));
    add('one.json', { launch: { command: 'uno' } });
    await catalogue.setConfirmed({ ...readConfirmed('two'), one: digestOf('one', { launch: { command: 'uno' } }) });
    await moment('the file that changed', () => catalogue.find('one')?.command === 'uno');
    rmSync(path('two.json'));
    await moment('the file that went', () => catalogue.find('two') === undefined);
    expect(warnings).to.deep.equal([]);
  });

  it('use the confirmations once they arrive, even if they arrived before', async () => {
    add('one.json', { launch: { command: 'one' } });
    await open({});
    expect(catalogue.files[0]?.launch?.isConfirmed).to.equal(false);
    const first = catalogue.setConfirmed(readConfirmed('one'));
    await catalogue.setConfirmed(readConfirmed('one'));
    expect(catalogue.files[0]?.launch?.isConfirmed).to.equal(true);
    await first;
  });

  it('stay in force while a file is refused, which is logged once with line and reason', async () => {
    add('one.json', { launch: { command: 'one' } });
    await open();
    writeFileSync(path('one.json'), '{\n  "launch": {\n    "comand": "one"\n  }\n}\n');
    await moment('a refusal', () => warnings.length > 0);
    add('other.json', { launch: { command: 'other' } });
    await moment('the other file', isThere('other'));
    expect(catalogue.find('one')?.command).to.equal('one');
    expect(warnings).to.deep.equal([
      {
        harness: 'one',
        path: path('one.json'),
        line: 2,
        reason: 'launch: Unrecognized key: "comand"',
        instead: 'its previous version',
      },
    ]);
  });

  it('follow the installation and removal of a signed bundle, below a person’s own files', async () => {
    await open();
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const trustedKey = publicKeyIn(publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'key');
    const harnesses = { claude: { recordedWith: '9.0.0' }, codex: { recordedWith: '9.0.0' } };
    const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    writeFileSync(path('installed.bundle'), signBundle({ serial: 1, harnesses }, secret));
    await moment('its refusal', () => warnings.length > 0);
    expect(catalogue.find('codex')?.recordedWith).to.equal(builtIn.find('codex')?.recordedWith);
    writeTrustedKeys(dirname(path('any')), [trustedKey]);
    await moment('the bundle', () => catalogue.find('codex')?.recordedWith === '9.0.0');
    add('codex.json', { recordedWith: '1.0.0' });
    await moment('the own file', () => catalogue.find('codex')?.recordedWith === '1.0.0');
    expect(catalogue.find('claude')?.recordedWith).to.equal('9.0.0');
    rmSync(path('installed.bundle'));
    await moment('its end', () => catalogue.find('claude') === builtIn.find('claude'));
  });

  it('notify listeners', async () => {
    await open();
    let told = 0;
    catalogue.onChange(() => {
      told += 1;
    });
    add('one.json', { launch: { command: 'one' } });
    await moment('word of it', () => told > 0);
  });

  it('refuse a name that is not a harness’s, and anything but a file', async () => {
    add('Big Name.json', { launch: { command: 'one' } });
    mkdirSync(path('folder.json'));
    await open();
    expect(warnings.map(({ reason }) => String(reason))).to.deep.equal([
      'Big Name is not a name of a harness: it may contain only a to z, 0 to 9 and -, and at most 40 of them',
      'it cannot be read, is not a file or is larger than 1048576 bytes',
    ]);
  });

  it('work without a folder, which may be added later', async () => {
    rmSync(join(folder.path, 'rules'), { recursive: true });
    await open();
    expect(catalogue.all()).to.deep.equal(builtIn.all());
  });

  it('fall back to the built-in ones if they take too long on a screen', async () => {
    // It is quick on the rows that expressions are tried on, and slow on the row below.
    const row = '^(?:xy|x|y|yx)*$';
    const slow = { id: 'house/slow', priority: 5000, state: 'AGENT_STATE_IDLE', all: [{ in: 'screen', row }] };
    add('claude.json', { rules: [slow] });
    await open();
    expect(catalogue.find('claude')?.screens.rules.at(-1)?.id).to.equal('house/slow');
    const look = paneObserver(catalogue, (screens) => catalogue.refuse(screens));
    const capture = captureOf([`${'xy'.repeat(40)}!`], { size: '200x50', cursor: '0,0' });
    const sight = await look({ capture: async () => capture } as unknown as Terminal, '%1', { harness: 'claude' });
    expect(sight?.reading).to.deep.include({ state: 'AGENT_STATE_UNCERTAIN', reason: 'unread' });
    await moment('the refusal', () => catalogue.files[0]?.faults.length === 1);
    expect(catalogue.find('claude')).to.equal(builtIn.find('claude'));
    expect(warnings[0]).to.deep.include({ reason: 'its rules took too long on a screen: simplify them' });
  });
});
