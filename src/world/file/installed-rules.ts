import { join } from 'node:path';
import type { FoundRuleFile } from '#contract/pane/harness-file.ts';
import { maxBundleBytes } from '#contract/pane/rules-bundle.ts';
import { readRegularFile } from './regular-file.ts';
import { openBundle, type VerifiedBundle } from './signed-rules.ts';
import { readTrustedKeys } from './trusted-keys.ts';

/** The file in a folder of rules that holds the installed bundle. */
export const installedFile = 'installed.bundle';

/** Under which name an installed bundle is listed that does not hold. */
const bundleName = 'installed-rules';

/**
 * The installed bundle of a folder of rules, verified again; undefined if none is installed.
 * @throws INVALID_ARGUMENT or FAILED_PRECONDITION when it does not hold, or not any more
 */
export async function installedBundle(folder: string): Promise<VerifiedBundle | undefined> {
  const path = join(folder, installedFile);
  const file = await readRegularFile(path, { maxBytes: maxBundleBytes, followLinks: false });
  return file && openBundle(path, file.content.toString('utf8'), readTrustedKeys(folder));
}

/** What the installed bundle says of harnesses, save those of which a person has a file of their own. */
export async function installedRules(folder: string, own: ReadonlySet<string>): Promise<FoundRuleFile[]> {
  const path = join(folder, installedFile);
  try {
    const { bundle } = (await installedBundle(folder)) ?? {};
    const files = Object.entries(bundle?.harnesses ?? {}).filter(([harness]) => !own.has(harness));
    return files.map(([harness, file]) => {
      const text = JSON.stringify(file, null, 2);
      return { harness, path, text, fault: '', installed: { recordedWith: file.recordedWith } };
    });
  } catch (error) {
    // Whatever is wrong with the bundle, or with the keys that it needs, a person's own rules count all the same.
    const fault = error instanceof Error ? error.message : String(error);
    return [{ harness: bundleName, path, text: undefined, fault }];
  }
}
