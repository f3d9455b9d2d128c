import { readFile } from 'node:fs/promises';
import { expect } from 'chai';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** What npm installs, for every platform. */
async function lockedPackages(): Promise<Readonly<Record<string, Locked>>> {
  const text = await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { packages: Record<string, Locked> }).packages;
}

describe('the installed packages', () => {
  it('have a strong digest each, for every platform', async () => {
    const loose = Object.entries(await lockedPackages())
      .filter(([path, { integrity, link }]) => path !== '' && !link && !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
      .map(([path, { version }]) => `${path}@${version}`);
    expect(loose).to.deep.equal([]);
  });

  it('come only from the configured npm registry', async () => {
    const elsewhere = Object.entries(await lockedPackages())
      .filter(([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'))
      .map(([path, { resolved }]) => `${path}: ${resolved}`);
    expect(elsewhere).to.deep.equal([]);
  });

  it('are locked at one exact version, which is the requested one', async () => {
    const packages = await lockedPackages();
    const { dependencies, devDependencies, optionalDependencies } = packages[''] ?? {};
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      expect(version, name).to.match(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
      expect(packages[`node_modules/${name}`]?.version, name).to.equal(version);
    }
    for (const [path, { version, link }] of Object.entries(packages)) {
      if (path !== '' && !link) expect(version, path).to.match(/^\d+\.\d+\.\d+(-[\w.]+)?(\+[\w.]+)?$/);
    }
  });

  it('include each platform’s package of a program', async () => {
    const packages = await lockedPackages();
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter(
          (name) => !packages[`${path}/node_modules/${name}`.replace(/^\//, '')] && !packages[`node_modules/${name}`],
        )
        .map((name) => `${path} wants ${name}`),
    );
    expect(missing).to.deep.equal([]);
  });
});
