import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { InstalledRules, SignedRules } from '#cli/client/signed-rules.ts';
import { Failure } from '#contract/failure.ts';
import { harnessNamePattern } from '#contract/pane/harness-file.ts';
import { maxBundleBytes, RulesBundle } from '#contract/pane/rules-bundle.ts';
import { isOutdated } from '#machines/harness/harness-set.ts';
import { readHarnessFile } from '#machines/harness/read-file.ts';
import { builtIn } from '#machines/harness/table.ts';
import { installedBundle, installedFile } from '#world/file/installed-rules.ts';
import { isThere, removePrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { readRegularFile } from '#world/file/regular-file.ts';
import { forgetSerial, noteSerial, serialOf } from '#world/file/rules-serials.ts';
import { openBundle, signBundle } from '#world/file/signed-rules.ts';
import { publicKeyIn, readTrustedKeys, writeTrustedKeys } from '#world/file/trusted-keys.ts';
import { isSlowPattern } from '#world/pattern-trial.ts';
import { readInstalledBundle, requireNewer, requireNotOlder } from './outdated-rules.ts';

/** The signed rules of a folder of rules. */
export function signedRulesIn(folder: string): SignedRules {
  const path = join(folder, installedFile);
  return {
    installed: () => installedIn(folder),
    trusted: () => readTrustedKeys(folder).map(({ fingerprint }) => fingerprint),
    trust(keyPath) {
      const key = publicKeyIn(textOf(keyPath), keyPath);
      const keys = readTrustedKeys(folder).filter(({ fingerprint }) => fingerprint !== key.fingerprint);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeTrustedKeys(folder, [...keys, key]);
      return key.fingerprint;
    },
    distrust(beginning) {
      const keys = readTrustedKeys(folder);
      const meant = keys.filter(({ fingerprint }) => beginning !== '' && fingerprint.startsWith(beginning));
      const [one] = meant;
      if (one === undefined || meant.length > 1) {
        throw new Failure(
          'RULES_NOT_INSTALLED',
          `${meant.length} trusted keys begin with ${JSON.stringify(beginning)}: \`muster rules\` lists them`,
        );
      }
      writeTrustedKeys(
        folder,
        keys.filter((key) => key !== one),
      );
      forgetSerial(folder, one.fingerprint);
      return one.fingerprint;
    },
    async update(from) {
      const file = await readRegularFile(from, { maxBytes: maxBundleBytes, followLinks: true });
      if (file === undefined) {
        throw new Failure(
          'RULES_BUNDLE_INVALID',
          `${from} cannot be read, is not a file or is larger than ${maxBundleBytes} bytes`,
        );
      }
      const text = file.content.toString('utf8');
      const bundle = openBundle(from, text, readTrustedKeys(folder));
      requireValidRules(from, bundle.bundle);
      requireNewer(from, bundle, await readInstalledBundle(folder));
      requireNotOlder(from, bundle, serialOf(folder, bundle.key));
      // Recorded first, so that a crash in between cannot let an older bundle be installed later.
      noteSerial(folder, bundle.key, bundle.bundle.serial);
      writePrivateFile(path, text);
      return (await installedIn(folder)) ?? { path, harnesses: [], fault: '' };
    },
    remove() {
      if (!isThere(path)) throw new Failure('RULES_NOT_INSTALLED', 'no bundle of rules is installed');
      removePrivateFile(path);
    },
    sign: (keyPath, serial, paths, about) => {
      const harnesses = Object.fromEntries(paths.map((one) => [harnessOf(one), jsonOf(one)]));
      const bundle = RulesBundle.safeParse({ serial, ...(about !== undefined && { about }), harnesses });
      if (!bundle.success) {
        const [issue] = bundle.error.issues;
        throw new Failure('RULES_BUNDLE_INVALID', `${issue?.path.join('.')}: ${issue?.message}`);
      }
      requireValidRules('the bundle', bundle.data);
      return signBundle(bundle.data, textOf(keyPath));
    },
  };
}

async function installedIn(folder: string): Promise<InstalledRules | undefined> {
  const path = join(folder, installedFile);
  try {
    const found = await installedBundle(folder);
    if (found === undefined) return undefined;
    const { serial, about, harnesses } = found.bundle;
    const names = Object.entries(harnesses).map(([name, { recordedWith }]) => ({
      name,
      recordedWith,
      unused: unusedFor(folder, name, recordedWith),
    }));
    return { path, serial, about, key: found.key, harnesses: names, fault: '' };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { path, harnesses: [], fault: error.message };
  }
}

/** Why a bundle's rules of a harness are not in use; empty if they are. */
function unusedFor(folder: string, harness: string, recordedWith: string | undefined): string {
  const own = join(folder, `${harness}.json`);
  if (isThere(own)) return `${own} is your own`;
  return isOutdated({ harness, installed: { recordedWith } }, builtIn) ? 'the built-in rules are newer' : '';
}

/** Checks a bundle's rules as an installation would. @throws INVALID_ARGUMENT */
function requireValidRules(path: string, bundle: RulesBundle): void {
  for (const [name, file] of Object.entries(bundle.harnesses)) {
    const reading = readHarnessFile(name, JSON.stringify(file, null, 2), builtIn, isSlowPattern);
    if (!('faults' in reading)) continue;
    const [fault] = reading.faults;
    throw new Failure('RULES_BUNDLE_INVALID', `${path} has invalid rules for ${name}: ${fault?.reason}`);
  }
}

function harnessOf(path: string): string {
  const name = basename(path).replace(/\.json$/, '');
  if (harnessNamePattern.test(name) && path.endsWith('.json')) return name;
  throw new Failure('INVALID_USAGE', `${path} is not named after a harness: call it HARNESS.json`);
}

function jsonOf(path: string): unknown {
  const text = textOf(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('RULES_BUNDLE_INVALID', `${path} is not JSON`);
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Failure('FILE_NOT_FOUND', `${path} cannot be read: correct the path`, {
      cause: error,
      metadata: { path },
    });
  }
}
