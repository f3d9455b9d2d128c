import type { HarnessScreens } from '#contract/pane/screen-rule.ts';

const known = new WeakMap<HarnessScreens, string>();

/** A short version of a set of rules, which changes whenever the rules do. */
export function rulesVersion(screens: HarnessScreens): string {
  const version = known.get(screens) ?? fingerprint(JSON.stringify(screens));
  known.set(screens, version);
  return version;
}

/**
 * A hash of a text in twelve hexadecimal digits, from two 32-bit sums, each mixed as in MurmurHash. Not for security.
 */
function fingerprint(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  const mixed = [high ^ (low >>> 15), low ^ (high >>> 13)].map(
    (sum) => Math.imul(sum ^ (sum >>> 16), 2246822507) >>> 0,
  );
  return mixed
    .map((sum) => sum.toString(16).padStart(8, '0'))
    .join('')
    .slice(0, 12);
}
