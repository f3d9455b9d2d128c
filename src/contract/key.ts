import { z } from 'zod';

const named = ['Enter', 'Escape', 'Tab', 'BTab', 'Space', 'BSpace', 'Up', 'Down', 'Left', 'Right'] as const;
const held = ['C-c', 'C-d', 'C-u'] as const;
const digits = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;
const letters = [
  ...(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm'] as const),
  ...(['n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z'] as const),
] as const;

/** A key that may be pressed in a pane, by its name; letters and digits answer a selection. `C-` is Ctrl, `BTab` Shift+Tab. */
export const Key = z.enum([...named, ...held, ...digits, ...letters]);
export type Key = z.infer<typeof Key>;
