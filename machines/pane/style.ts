/** The style of a cell. A colour is `''` for the terminal's default, otherwise `r,g,b`. */
export interface Style {
  readonly foreground: string;
  readonly background: string;
  readonly dim: boolean;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly reverse: boolean;
  readonly underline: boolean;
}

/** The style that a terminal starts with. */
export const plain: Style = {
  foreground: '',
  background: '',
  dim: false,
  bold: false,
  italic: false,
  reverse: false,
  underline: false,
};

/** The style after an SGR sequence; `parameters` is the text between `ESC [` and `m`. */
export function applySgr(style: Style, parameters: string): Style {
  let next = style;
  const codes = parameters === '' ? ['0'] : parameters.split(';');
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? '0';
    const extended = extendedColour(codes, at);
    if (extended === undefined) {
      next = applyCode(next, Number(code.split(':')[0]));
      continue;
    }
    next = extended.ground === '38' ? { ...next, foreground: extended.colour } : next;
    next = extended.ground === '48' ? { ...next, background: extended.colour } : next;
    at += extended.length - 1;
  }
  return next;
}

/** Whether a foreground colour is muted: a medium grey, the colour of placeholders and finished turns. */
export function isGrey(colour: string): boolean {
  const parts = colour.split(',').map(Number);
  if (parts.length !== 3) return false;
  const low = Math.min(...parts);
  const high = Math.max(...parts);
  return high - low <= 40 && low >= 70 && high <= 200;
}

function applyCode(style: Style, code: number): Style {
  if (code === 0) return plain;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 3) return { ...style, italic: true };
  if (code === 4) return { ...style, underline: true };
  if (code === 7) return { ...style, reverse: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 23) return { ...style, italic: false };
  if (code === 24) return { ...style, underline: false };
  if (code === 27) return { ...style, reverse: false };
  if (code === 39) return { ...style, foreground: '' };
  if (code === 49) return { ...style, background: '' };
  if (code >= 30 && code <= 37) return { ...style, foreground: indexed(code - 30) };
  if (code >= 90 && code <= 97) return { ...style, foreground: indexed(code - 82) };
  if (code >= 40 && code <= 47) return { ...style, background: indexed(code - 40) };
  if (code >= 100 && code <= 107) return { ...style, background: indexed(code - 92) };
  return style;
}

interface Extended {
  readonly ground: string;
  readonly colour: string;
  readonly length: number;
}

/** Parses `38;5;n`, `38;2;r;g;b` and their forms with colons; `length` is how many codes were consumed. */
function extendedColour(codes: readonly string[], at: number): Extended | undefined {
  const parts = (codes[at] ?? '').split(':');
  const ground = parts[0] ?? '';
  if (ground !== '38' && ground !== '48' && ground !== '58') return undefined;
  if (parts.length > 1) {
    const colour = parts[1] === '5' ? indexed(Number(parts[2])) : parts.slice(-3).join(',');
    return { ground, colour, length: 1 };
  }
  if (codes[at + 1] === '5') return { ground, colour: indexed(Number(codes[at + 2])), length: 3 };
  return { ground, colour: codes.slice(at + 2, at + 5).join(','), length: 5 };
}

const base = [
  '0,0,0',
  '205,0,0',
  '0,205,0',
  '205,205,0',
  '0,0,238',
  '205,0,205',
  '0,205,205',
  '229,229,229',
  '127,127,127',
  '255,0,0',
  '0,255,0',
  '255,255,0',
  '92,92,255',
  '255,0,255',
  '0,255,255',
  '255,255,255',
];
const steps = [0, 95, 135, 175, 215, 255];

function indexed(index: number): string {
  if (index < 16) return base[index] ?? '';
  if (index > 231)
    return Array(3)
      .fill(8 + (index - 232) * 10)
      .join(',');
  const cube = index - 16;
  return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => steps[step] ?? 0).join(',');
}
