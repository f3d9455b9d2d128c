/** A text to be typed, without control characters, which are keys and have names. */
export function typedText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are exactly what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '');
}
