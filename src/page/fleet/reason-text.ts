/** What a reason of the service says, with its way on named as the page labels it. */
export function reasonText(reason: string): string {
  return reason.replace('or delete with force', 'or choose “Delete with unsaved work”');
}
