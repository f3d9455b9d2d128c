const escapes = /\p{Cc}\[[0-9;:]*m/gu;

/** A row without its attributes. */
export function bare(row: string): string {
  return row.replace(escapes, '');
}

/** A row in which what matches is replaced; its attributes stay where they are. `$1` and the like stand for groups. */
export function rewritten(row: string, pattern: RegExp, by: string): string {
  const text = bare(row);
  if (!pattern.test(text)) return row;
  const places = placesOf(row);
  let done = 0;
  let out = '';
  for (const found of text.matchAll(new RegExp(pattern.source, 'gu'))) {
    if (found[0] === '') continue;
    const from = places[found.index] ?? row.length;
    const to = places[found.index + found[0].length] ?? row.length;
    const put = by.replace(/\$(\d)/g, (_, group: string) => found[Number(group)] ?? '');
    out += row.slice(done, from) + put + (row.slice(from, to).match(escapes) ?? []).join('');
    done = to;
  }
  return out + row.slice(done);
}

/** Where each UTF-16 unit of a row's text stands in the row with its attributes. */
function placesOf(row: string): number[] {
  const places: number[] = [];
  let at = 0;
  for (const found of row.matchAll(escapes)) {
    for (; at < found.index; at += 1) places.push(at);
    at = found.index + found[0].length;
  }
  for (; at < row.length; at += 1) places.push(at);
  return places;
}
