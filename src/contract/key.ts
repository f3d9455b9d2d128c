import { z } from 'zod';

const named = [
  ...(['Enter', 'Escape', 'Tab', 'BTab', 'Space', 'BSpace', 'Delete'] as const),
  ...(['Up', 'Down', 'Left', 'Right', 'Home', 'End', 'PageUp', 'PageDown'] as const),
] as const;
/** Without C-i and C-m, which terminals send as Tab and Enter. */
const held = [
  ...(['C-a', 'C-b', 'C-c', 'C-d', 'C-e', 'C-f', 'C-g', 'C-h', 'C-j', 'C-k', 'C-l', 'C-n', 'C-o'] as const),
  ...(['C-p', 'C-q', 'C-r', 'C-s', 'C-t', 'C-u', 'C-v', 'C-w', 'C-x', 'C-y', 'C-z'] as const),
] as const;
const digits = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;
const letters = [
  ...(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm'] as const),
  ...(['n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z'] as const),
] as const;

/**
 * The name of a key that may be pressed in a pane. Letters and digits answer a selection; `C-` is Ctrl, `BTab` is
 * Shift+Tab.
 */
export const Key = z.enum([...named, ...held, ...digits, ...letters]);
export type Key = z.infer<typeof Key>;
