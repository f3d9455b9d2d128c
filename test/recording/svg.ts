import { theme } from '#page/pane/theme.ts';
import type { Cast } from './cast-file.ts';
import { type Frame, framesOf, type Stretch } from './frames.ts';

/** A cell, and the room around the screen, in pixels. */
const cell = { width: 8.4, height: 18 } as const;
const padding = 16;
/** How long the last frame stays before all begins again, in seconds. */
const lastSeconds = 4;

/** A row as it stands from one moment until another, in seconds. */
interface Version {
  readonly row: number;
  readonly markup: string;
  readonly from: number;
  to: number;
}

/**
 * An animated picture of a recording, in which CSS shows and hides rows. It needs nothing beside itself, and shows its last frame
 * to whoever wants no motion.
 */
export async function svgOf(cast: Cast): Promise<string> {
  const frames = await framesOf(cast);
  const seconds = (frames.at(-1)?.at ?? 0) + lastSeconds;
  const versions = versionsOf(frames, seconds);
  const spans = [...new Set(versions.map(spanOf))];
  const width = Math.round(cast.width * cell.width + 2 * padding);
  const height = cast.height * cell.height + 2 * padding;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" xml:space="preserve">`,
    `<title>${escaped(cast.title)}</title>`,
    `<style>${styleOf(spans, seconds)}</style>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${theme.background}" stroke="${theme.brightBlack}"/>`,
    ...versions.map((one) => drawn(one, spans.indexOf(spanOf(one)), one.to === seconds)),
    '</svg>',
    '',
  ].join('\n');
}

/** Every row in each of its looks, in the order in which they come. */
function versionsOf(frames: readonly Frame[], end: number): readonly Version[] {
  const all: Version[] = [];
  const now = new Map<number, Version>();
  for (const { at, rows } of frames) {
    for (const [row, stretches] of rows.entries()) {
      const markup = stretches.map(drawnStretch).join('');
      const last = now.get(row);
      if (last?.markup === markup) continue;
      if (last !== undefined) last.to = at;
      const version = { row, markup, from: at, to: end };
      now.set(row, version);
      if (markup !== '') all.push(version);
    }
  }
  return all;
}

const spanOf = ({ from, to }: Version): string => `${from} ${to}`;

function styleOf(spans: readonly string[], seconds: number): string {
  const share = (at: string | undefined): string => `${((100 * Number(at)) / seconds).toFixed(3)}%`;
  const keyframes = spans.map((span, index) => {
    const [from, to] = span.split(' ');
    const end = Number(to) === seconds ? '' : `${share(to)}{visibility:hidden}`;
    const start = Number(from) === 0 ? '' : '0%{visibility:hidden}';
    return `@keyframes k${index}{${start}${share(from)}{visibility:visible}${end}to{visibility:${end === '' ? 'visible' : 'hidden'}}}`;
  });
  const font = "14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";
  return [
    `text{font:${font};fill:${theme.foreground};white-space:pre}`,
    '.bold{font-weight:bold}.dim{opacity:.6}.italic{font-style:italic}.underline{text-decoration:underline}',
    `g{visibility:hidden;animation:${seconds.toFixed(3)}s step-end infinite}.last{visibility:visible}`,
    ...spans.map((_, index) => `.k${index}{animation-name:k${index}}`),
    ...keyframes,
    '@media (prefers-reduced-motion:reduce){g{animation-name:none}}',
  ].join('\n');
}

function drawn({ row, markup }: Version, span: number, isLast: boolean): string {
  const y = padding + row * cell.height;
  return `<g class="k${span}${isLast ? ' last' : ''}" transform="translate(${padding} ${y})">${markup}</g>`;
}

function drawnStretch({ column, width, text, color, background, look }: Stretch): string {
  const [x, long] = [pixels(column), pixels(width)];
  const ground = look === 'cursor' ? theme.cursor : named(background);
  const box = ground === undefined ? '' : `<rect x="${x}" width="${long}" height="${cell.height}" fill="${ground}"/>`;
  if (text.trim() === '') return box;
  const ink = look === 'cursor' ? theme.cursorAccent : named(color);
  const style = `${ink === undefined ? '' : ` style="fill:${ink}"`}${look === '' ? '' : ` class="${look}"`}`;
  const trimmed = text.trimEnd();
  const length = pixels(width - (text.length - trimmed.length));
  return `${box}<text x="${x}" y="13.5" textLength="${length}"${style}>${escaped(trimmed)}</text>`;
}

const pixels = (columns: number): number => Number((columns * cell.width).toFixed(1));

/** A colour of a cell that is drawn the other way round names the terminal's own colours. */
function named(color: string | undefined): string | undefined {
  if (color === 'ground') return theme.background;
  return color === 'ink' ? theme.foreground : color;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
