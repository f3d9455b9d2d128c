/** The text of a state's reason, with the option of a command replaced by its label on this page. */
export function reasonText(reason: string): string {
  return reason.replace('or delete with force', 'or choose “Delete with unsaved work”');
}
