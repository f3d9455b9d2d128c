/** What ends code, a list or a quotation, an empty prompt, or what divides, or draws a table or a box. */
const ending = '[\\])};,`"\'…]+$|[>❯›$#%]$|([-*_=])\\1{2,}$|[-|+: ]{3,}$|.*[\\u2500-\\u257f]';
/** A few symbols, as a spinner of any make is, or an animation of several. Marks of mood end answers. */
const symbols = new RegExp(`^ {0,7}(?!${ending})(?:(?!\\p{Emoji_Presentation})[^\\p{L}\\p{N}]){1,12}$`, 'u');

/** Whether a row near the left edge is nothing but symbols, and none that an answer ends with. */
export const isBareSymbol = (row: string): boolean => symbols.test(row);
