/** Compares versions as semantic versioning does: negative if the first is older. Build metadata does not count. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  for (const at of [0, 1, 2] as const) {
    const difference = (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.draft.length === 0 || b.draft.length === 0) return b.draft.length - a.draft.length;
  for (let at = 0; at < Math.max(a.draft.length, b.draft.length); at += 1) {
    const difference = compareIdentifiers(a.draft[at], b.draft[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether a text is a version, such as `0.2.0` or `1.0.0-rc.1`. */
export function isVersion(text: string): boolean {
  return /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,64})?(?:\+[0-9A-Za-z.-]{1,64})?$/.test(text);
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly draft: readonly string[] } {
  const [plain = ''] = version.split('+');
  const [core = '', ...draft] = plain.split('-');
  return { numbers: core.split('.').map(Number), draft: draft.length === 0 ? [] : draft.join('-').split('.') };
}

/** Compares two identifiers of a pre-release; one that is absent is older. */
function compareIdentifiers(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
  const [first, second] = [one, other].map((text) => (/^\d+$/.test(text) ? Number(text) : undefined));
  if (first !== undefined && second !== undefined) return first - second;
  if (first !== undefined || second !== undefined) return first !== undefined ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}
