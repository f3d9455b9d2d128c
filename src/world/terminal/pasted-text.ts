// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * A text as it may be pasted: line ends are LF; control characters other than LF and TAB are gone, so that nothing in
 * it can end the paste or act on the terminal; line ends at the very end are dropped, for they would only open empty
 * lines.
 */
export function pastedText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(control, '').replace(/\n+$/, '');
}
