import { Unicode11Addon } from '@xterm/addon-unicode11';
import { Terminal } from '@xterm/xterm';
import { minExtent } from '#page/answer/screen-text.ts';
import '@xterm/xterm/css/xterm.css';
import { allowSpanStyles } from './span-styles.ts';
import { theme } from './theme.ts';

allowSpanStyles();

const font = '"JetBrains Mono", "DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas, monospace';
/** The range of font sizes, in pixels. A pane that is too wide for its container is scrolled. */
const fontSizes = { min: 12, max: 15 } as const;
/** From this width on, in pixels, the details and answers are next to the screen. */
const besideFrom = 860;
/** The total width of a terminal's borders and of what is next to it, in pixels. */
const edges = 54;
const besideWidth = 340;

/** A terminal that draws each cell as it was captured, in its own colours regardless of their contrast. */
export function openTerminal(host: HTMLElement): Terminal {
  const made = new Terminal({
    cols: minExtent.columns,
    rows: minExtent.rows,
    scrollback: 0,
    allowProposedApi: true,
    disableStdin: true,
    fontFamily: font,
    fontSize: fontSizes.min,
    lineHeight: 1.15,
    drawBoldTextInBrightColors: false,
    cursorInactiveStyle: 'outline',
    theme,
  });
  made.loadAddon(new Unicode11Addon());
  made.unicode.activeVersion = '11';
  made.open(host);
  return made;
}

/** Chooses the largest font with which a row fits next to the screen's details, if these are next to it. */
export function fitFont(terminal: Terminal, host: HTMLElement): void {
  const around = host.closest<HTMLElement>('.pane-side-by-side');
  const probe = document.createElement('canvas').getContext('2d');
  if (probe === null || around === null || around.clientWidth === 0) return;
  const isBeside = around.clientWidth >= besideFrom;
  around.dataset['beside'] = String(isBeside);
  probe.font = `100px ${font}`;
  const widthOfOne = probe.measureText('W').width / 100;
  const width = around.clientWidth - edges - (isBeside ? besideWidth : 0);
  const wanted = Math.floor((10 * width) / (terminal.cols * widthOfOne)) / 10;
  terminal.options.fontSize = Math.min(fontSizes.max, Math.max(fontSizes.min, wanted));
}
