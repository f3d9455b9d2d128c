import type { Terminal } from '@xterm/xterm';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { type Input, inputsOf } from '#contract/pane/typed-input.ts';
import { drawingOf, type Extent, evidenceRows, extentOf, minExtent, rowsOf } from '#page/answer/screen-text.ts';
import type { PaneScreen } from '#page/client/agent/v1/agent_pb.js';
import { isCopy, useTerminalCopy } from './copying.ts';
import { useFollow } from './following.ts';
import { fitFont, openTerminal } from './xterm.ts';

interface ScreenProps {
  readonly name: string;
  readonly screen: PaneScreen;
  readonly evidence: readonly string[];
  /** Called with what is typed; undefined for a read-only screen. */
  readonly onType: ((inputs: readonly Input[]) => void) | undefined;
  /** Called when the person wants to return the keys to the page. */
  readonly onLeave: () => void;
}

/** A screen of an agent's pane, drawn as a terminal, with the rows of the evidence marked. */
export function TerminalScreen({ name, screen, evidence, onType, onLeave }: ScreenProps) {
  const place = useRef<HTMLDivElement>(null);
  const extent = useExtent(screen);
  const terminal = useTerminal(place, { onType, onLeave });
  useDrawing(terminal, place, screen, extent);
  useTerminalCopy(terminal);
  const isTyping = onType !== undefined;
  useTypedInto(terminal, isTyping);
  const marked = useMemo(() => evidenceRows(screen, evidence), [screen, evidence]);
  const text = useMemo(() => rowsOf(screen).join('\n').trim(), [screen]);
  const view = useFollow(screen, extent.rows);
  return (
    <section
      ref={view}
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
        <div className="evidence" aria-hidden="true" style={{ gridTemplateRows: `repeat(${extent.rows}, 1fr)` }}>
          {marked.map((row) => (
            <span key={row} className="evidence-row" style={{ gridRow: row + 1 }} />
          ))}
        </div>
      </div>
      <pre className="unseen">{text}</pre>
    </section>
  );
}

type TerminalRef = RefObject<Terminal | undefined>;
type Place = RefObject<HTMLDivElement | null>;

/** Opens an xterm in its element, and passes on what is typed. */
function useTerminal(place: Place, { onType, onLeave }: Pick<ScreenProps, 'onType' | 'onLeave'>): TerminalRef {
  const terminal = useRef<Terminal>(undefined);
  const latest = useRef({ onType, onLeave });
  // A layout effect, so that typing always goes to the handler of what is shown.
  useLayoutEffect(() => {
    latest.current = { onType, onLeave };
  });
  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    const made = openTerminal(host);
    made.onData((data) => latest.current.onType?.(inputsOf(data)));
    made.attachCustomKeyEventHandler((event) => {
      if (isCopy(event) && made.hasSelection()) return false;
      if (event.key !== 'Escape' || !event.shiftKey) return true;
      if (event.type === 'keydown') latest.current.onLeave();
      return false;
    });
    terminal.current = made;
    const fitting = new ResizeObserver(() => fitFont(made, host));
    fitting.observe(host.closest('.pane-side-by-side') ?? host);
    fitFont(made, host);
    return () => {
      fitting.disconnect();
      made.dispose();
    };
  }, [place]);
  return terminal;
}

function useDrawing(terminal: TerminalRef, place: Place, screen: PaneScreen, { columns, rows }: Extent): void {
  useEffect(() => {
    const [shown, host] = [terminal.current, place.current];
    if (shown === undefined || host === null) return;
    if (shown.cols !== columns || shown.rows !== rows) {
      shown.resize(columns, rows);
      fitFont(shown, host);
    }
    shown.write(drawingOf(screen));
  }, [terminal, place, screen, columns, rows]);
}

function useTypedInto(terminal: TerminalRef, isTyping: boolean): void {
  useEffect(() => {
    const shown = terminal.current;
    if (shown === undefined) return;
    shown.options.disableStdin = !isTyping;
    shown.options.cursorBlink = isTyping;
    // A read-only terminal takes no focus, not even on a click: the keys belong to the page.
    if (shown.textarea !== undefined) shown.textarea.disabled = !isTyping;
    if (isTyping) shown.focus();
    else shown.blur();
  }, [terminal, isTyping]);
}

/**
 * The shown part of a pane: everything that was used since the screen was opened, so that letters are as large as
 * possible and nothing jumps.
 */
function useExtent(screen: PaneScreen): Extent {
  const max = useRef(minExtent);
  const now = useMemo(() => extentOf(screen), [screen]);
  const columns = Math.max(now.columns, Math.min(screen.width, max.current.columns));
  const rows = Math.min(screen.height, Math.max(max.current.rows, now.rows));
  useEffect(() => {
    max.current = { columns, rows };
  }, [columns, rows]);
  return { columns, rows };
}
