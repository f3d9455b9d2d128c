import { type ReactNode, useRef } from 'react';
import { useKeys } from '#page/parts/keys.ts';
import { chartSpace, useChartView, useLitInView } from './chart-view.ts';

interface ChartPlaceProps {
  readonly name: string;
  readonly size: { readonly width: number; readonly height: number };
  /** The state that is kept in view. */
  readonly state: string;
  readonly children: ReactNode;
}

/** A scroll container for a chart, which may be larger than the window. The highlighted state is always in view. */
export function ChartPlace({ name, size, state, children }: ChartPlaceProps) {
  const place = useRef<HTMLElement>(null);
  const { zoom, canBeLarger, canBeSmaller, enlarge, fit, reset } = useChartView(place, size);
  useLitInView(place, state, zoom);
  useKeys({ '+': () => enlarge(1), '=': () => enlarge(1), '-': () => enlarge(-1), '0': fit, '1': reset });
  return (
    <div className="chart-place">
      <div className="chart-tools" role="toolbar" aria-label="Size of the chart">
        <button
          type="button"
          className="quiet"
          disabled={!canBeSmaller}
          aria-label="Smaller"
          onClick={() => enlarge(-1)}
        >
          −
        </button>
        <button type="button" className="quiet chart-zoom" title="Original size" aria-keyshortcuts="1" onClick={reset}>
          {Math.round(zoom * 100)}%
        </button>
        <button type="button" className="quiet" disabled={!canBeLarger} aria-label="Larger" onClick={() => enlarge(1)}>
          +
        </button>
        <button type="button" className="quiet" aria-keyshortcuts="0" onClick={fit}>
          Fit
        </button>
      </div>
      <section
        ref={place}
        className="chart-scroll"
        aria-label={`Chart of ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        onKeyDown={(event) => {
          // While the container has the focus, these keys scroll it.
          if (/^(?:Arrow|Page|Home|End)/.test(event.key)) event.stopPropagation();
        }}
      >
        <div
          className="chart-sheet"
          style={{ width: size.width * zoom, height: size.height * zoom, margin: chartSpace }}
        >
          {children}
        </div>
      </section>
    </div>
  );
}
