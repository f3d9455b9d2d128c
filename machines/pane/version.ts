import type { HarnessScreens } from '#contract/pane/screen-rule.ts';

const known = new WeakMap<HarnessScreens, string>();

/** A short word for a set of rules: equal for equal rules, another one whenever anything of them is changed. */
export function rulesVersion(screens: HarnessScreens): string {
  const version = known.get(screens) ?? fingerprint(JSON.stringify(screens));
  known.set(screens, version);
  return version;
}

/**
 * Twelve hexadecimal digits of a text: two sums of 32 bits, each mixed as in MurmurHash. It distinguishes versions; it
 * is not for security.
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
