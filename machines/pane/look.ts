import type { CellLook } from '#contract/pane/screen-rule.ts';
import { isGrey, type Style } from './style.ts';

/** Whether a cell's style has the look that a rule requires. */
export function looksLike(style: Style, look: CellLook): boolean {
  return look === 'grey' ? isGrey(style.foreground) : style[look];
}
