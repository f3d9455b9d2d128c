import { Unicode11Addon } from '@xterm/addon-unicode11';
import { Terminal } from '@xterm/xterm';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import '@xterm/xterm/css/xterm.css';
import { drawingOf, evidenceRows, extentLeast, extentOf, rowsOf } from '#page/answer/screen-text.ts';
import type { PaneScreen } from '#page/client/agent/v1/agent_pb.js';
import { isCopy, useTerminalCopy } from './copying.ts';
import { type Input, inputsOf } from './input.ts';
import { letSpansBeStyled } from './span-styles.ts';

letSpansBeStyled();

/** A pane was made for eyes that are used to dark terminals: what CLIs paint in true colour is chosen for that. */
const theme = {
  background: '#0b0d10',
  foreground: '#d7dae0',
  cursor: '#f5ad2a',
  cursorAccent: '#0b0d10',
  selectionBackground: '#2f4a86',
  black: '#23272e',
  red: '#ff7b72',
  green: '#6fd397',
  yellow: '#ffc24d',
  blue: '#7db8ff',
  magenta: '#cf9bf0',
  cyan: '#6bd5d9',
  white: '#d7dae0',
  brightBlack: '#8b93a1',
  brightRed: '#ffa198',
  brightGreen: '#97e6b5',
  brightYellow: '#ffd782',
  brightBlue: '#a9d0ff',
  brightMagenta: '#e0bdf8',
  brightCyan: '#97e8ea',
  brightWhite: '#ffffff',
} as const;
const font = '"JetBrains Mono", "DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas, monospace';
/**
 * Letters are no smaller and no larger than this, in pixels: a pane that is too wide for its place is scrolled. What is told of
 * it stands beside it where they are at least `besideLeast`, else below.
 */
const letters = { least: 8, most: 15, besideLeast: 10.5 } as const;
/** What the edges around a terminal take up, and what stands beside it, in pixels. */
const edges = 54;
const besideWidth = 340;

interface ScreenProps {
  readonly name: string;
  readonly screen: PaneScreen;
  readonly evidence: readonly string[];
  /** Takes what is typed; the screen is only to be read where there is none. */
  readonly onType: ((inputs: readonly Input[]) => void) | undefined;
  /** Called where the person wants the keys back. */
  readonly onLeave: () => void;
}

/** A screen of an agent's pane as its terminal draws it, with the rows marked on which the evidence stands. */
export function TerminalScreen({ name, screen, evidence, onType, onLeave }: ScreenProps) {
  const place = useRef<HTMLDivElement>(null);
  const terminal = useRef<Terminal>(undefined);
  const latest = useRef({ onType, onLeave });
  const { columns, rows } = useExtent(screen);
  // With what is shown: what is typed into it goes where it says.
  useLayoutEffect(() => {
    latest.current = { onType, onLeave };
  });
  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    const made = open(host);
    made.onData((data) => latest.current.onType?.(inputsOf(data)));
    made.attachCustomKeyEventHandler((event) => {
      if (isCopy(event) && made.hasSelection()) return false;
      if (event.key !== 'Escape' || !event.shiftKey) return true;
      if (event.type === 'keydown') latest.current.onLeave();
      return false;
    });
    terminal.current = made;
    const fitting = new ResizeObserver(() => fitLetters(made, host));
    fitting.observe(host.closest('.pane-side-by-side') ?? host);
    fitLetters(made, host);
    return () => {
      fitting.disconnect();
      made.dispose();
    };
  }, []);
  useEffect(() => {
    const [shown, host] = [terminal.current, place.current];
    if (shown === undefined || host === null) return;
    if (shown.cols !== columns || shown.rows !== rows) {
      shown.resize(columns, rows);
      fitLetters(shown, host);
    }
    shown.write(drawingOf(screen));
  }, [screen, columns, rows]);
  useTerminalCopy(terminal);
  const isTyping = onType !== undefined;
  useEffect(() => {
    const shown = terminal.current;
    if (shown === undefined) return;
    shown.options.disableStdin = !isTyping;
    shown.options.cursorBlink = isTyping;
    // One that is only read takes no focus, by a click either: keys are the page's.
    if (shown.textarea !== undefined) shown.textarea.disabled = !isTyping;
    if (isTyping) shown.focus();
    else shown.blur();
  }, [isTyping]);
  const marked = useMemo(() => evidenceRows(screen, evidence), [screen, evidence]);
  const text = useMemo(() => rowsOf(screen).join('\n').trim(), [screen]);
  return (
    <section
      className="pane-terminal"
      aria-label={`Terminal of ${name}`}
      tabIndex={isTyping ? undefined : 0}
      data-own-keys={isTyping ? '' : undefined}
      onPaste={(event) => {
        if (!isTyping) return;
        event.preventDefault();
        event.stopPropagation();
        onType([{ paste: event.clipboardData.getData('text/plain') }]);
      }}
    >
      <div className="terminal-fit" data-typing={isTyping}>
        <div ref={place} className="terminal-rows" aria-hidden={!isTyping} />
        <div className="evidence" aria-hidden="true" style={{ gridTemplateRows: `repeat(${rows}, 1fr)` }}>
          {marked.map((row) => (
            <span key={row} className="evidence-row" style={{ gridRow: row + 1 }} />
          ))}
        </div>
      </div>
      <pre className="unseen">{text}</pre>
    </section>
  );
}

/**
 * How much of a pane is shown: what was ever written on since the screen was opened, so that letters are as large as they can
 * be, and nothing jumps to and fro.
 */
function useExtent(screen: PaneScreen): { readonly columns: number; readonly rows: number } {
  const most = useRef(extentLeast);
  const now = useMemo(() => extentOf(screen), [screen]);
  const columns = Math.max(now.columns, Math.min(screen.width, most.current.columns));
  const rows = Math.min(screen.height, Math.max(most.current.rows, now.rows));
  useEffect(() => {
    most.current = { columns, rows };
  }, [columns, rows]);
  return { columns, rows };
}

function open(host: HTMLElement): Terminal {
  const made = new Terminal({
    cols: extentLeast.columns,
    rows: extentLeast.rows,
    scrollback: 0,
    allowProposedApi: true,
    disableStdin: true,
    fontFamily: font,
    fontSize: letters.least,
    lineHeight: 1.15,
    minimumContrastRatio: 4.5,
    cursorInactiveStyle: 'outline',
    theme,
  });
  made.loadAddon(new Unicode11Addon());
  made.unicode.activeVersion = '11';
  made.open(host);
  return made;
}

/** Makes letters as large as lets a row fit, beside what is told of the screen where that leaves them large enough. */
function fitLetters(terminal: Terminal, host: HTMLElement): void {
  const around = host.closest<HTMLElement>('.pane-side-by-side');
  const probe = document.createElement('canvas').getContext('2d');
  if (probe === null || around === null || around.clientWidth === 0) return;
  probe.font = `100px ${font}`;
  const widthOfOne = probe.measureText('W').width / 100;
  const sizeIn = (width: number): number => Math.floor((10 * (width - edges)) / (terminal.cols * widthOfOne)) / 10;
  const beside = sizeIn(around.clientWidth - besideWidth);
  const isBeside = beside >= letters.besideLeast;
  around.dataset['beside'] = String(isBeside);
  const wanted = isBeside ? beside : sizeIn(around.clientWidth);
  terminal.options.fontSize = Math.min(letters.most, Math.max(letters.least, wanted));
}
