import { Failure } from '#contract/failure.ts';
import { isOutdated } from '#machines/harness/harness-set.ts';
import { builtIn } from '#machines/harness/table.ts';
import { installedBundle } from '#world/file/installed-rules.ts';
import type { VerifiedBundle } from '#world/file/signed-rules.ts';

/** The installed bundle. @throws Failure when it cannot be verified, because it may then be newer than any */
export async function readInstalledBundle(folder: string): Promise<VerifiedBundle | undefined> {
  try {
    return await installedBundle(folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure(
      'RULES_OUTDATED',
      `the installed bundle cannot be compared: ${why}: run \`muster rules remove\` first`,
    );
  }
}

/** Requires a serial that is not older than any that was installed from its publisher. @throws FAILED_PRECONDITION */
export function requireNotOlder(from: string, { key, bundle }: VerifiedBundle, newest: number): void {
  if (bundle.serial >= newest) return;
  throw new Failure(
    'RULES_OUTDATED',
    `${from} is not installed: it has the serial ${bundle.serial}, and ${newest} was installed before: to go back, run \`muster rules distrust ${key.slice(0, 8)}\` and trust the key again`,
  );
}

/** Requires a bundle newer than the installed one, and from the same publisher. @throws FAILED_PRECONDITION */
export function requireNewer(
  from: string,
  { key, bundle }: VerifiedBundle,
  installed: VerifiedBundle | undefined,
): void {
  const outdated = (why: string) => new Failure('RULES_OUTDATED', `${from} is not installed: ${why}`);
  if (installed !== undefined && installed.key !== key) {
    throw outdated(
      `the installed bundle is signed with another key, ${installed.key}: run \`muster rules remove\` first`,
    );
  }
  if (installed !== undefined && bundle.serial <= installed.bundle.serial) {
    throw outdated(`it has the serial ${bundle.serial}, and ${installed.bundle.serial} is installed`);
  }
  for (const [harness, { recordedWith }] of Object.entries(bundle.harnesses)) {
    if (!isOutdated({ harness, installed: { recordedWith } }, builtIn)) continue;
    const newer = builtIn.find(harness)?.recordedWith;
    throw outdated(
      `its rules for ${harness} were recorded with ${recordedWith ?? 'no version'}, those built in with ${newer}`,
    );
  }
}
