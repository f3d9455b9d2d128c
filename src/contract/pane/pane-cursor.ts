/** A host's id comes before this in a cursor. No id and no digest has it. */
const mark = ':';

/** The cursor of a screen: the host that the pane is on, and that host's own cursor. */
export function paneCursor(hostId: string, own: string): string {
  return `${hostId}${mark}${own}`;
}

/** The host's own cursor in one that a caller has; '' if the pane was on another host then. */
export function ownPaneCursor(hostId: string, cursor: string): string {
  const before = paneCursor(hostId, '');
  return cursor.startsWith(before) ? cursor.slice(before.length) : '';
}

/** The host that a cursor names; undefined for one of a registry that names none. */
export function hostInPaneCursor(cursor: string): string | undefined {
  const at = cursor.indexOf(mark);
  return at < 0 ? undefined : cursor.slice(0, at);
}
