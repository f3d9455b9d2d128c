// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for
const invisible = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const maxCharacters = 100;

/**
 * A name as a window may show it: without control and text-direction characters, at most 100 characters, and with `#`,
 * which begins tmux's formats and styles, replaced by its full-width look-alike. A blank name becomes `fallback`.
 */
export function windowName(name: string, fallback: string): string {
  const clean = name.replace(invisible, '').replaceAll('#', '\uff03').trim();
  return clean === '' ? fallback : [...clean].slice(0, maxCharacters).join('');
}
