import { join } from 'node:path';
import type { FoundRuleFile } from '#contract/pane/harness-file.ts';
import { maxBundleBytes } from '#contract/pane/rules-bundle.ts';
import { readRegularFile } from './regular-file.ts';
import { openBundle, type VerifiedBundle } from './signed-rules.ts';
import { readTrustedKeys } from './trusted-keys.ts';

/** The file of the installed bundle in a folder of rules. */
export const installedFile = 'installed.bundle';

/** The name under which an invalid installed bundle is listed. */
const bundleName = 'installed-rules';

/**
 * The installed bundle in a folder of rules, verified again; undefined if none is installed.
 * @throws INVALID_ARGUMENT or FAILED_PRECONDITION when it is not, or no longer, valid
 */
export async function installedBundle(folder: string): Promise<VerifiedBundle | undefined> {
  const path = join(folder, installedFile);
  const file = await readRegularFile(path, { maxBytes: maxBundleBytes, followLinks: false });
  return file && openBundle(path, file.content.toString('utf8'), readTrustedKeys(folder));
}

/** The rules of the installed bundle, except for harnesses with a person's own file. */
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
    // A fault of the bundle, or of its key, must not affect a person's own rules.
    const fault = error instanceof Error ? error.message : String(error);
    return [{ harness: bundleName, path, text: undefined, fault, installed: { recordedWith: undefined } }];
  }
}
