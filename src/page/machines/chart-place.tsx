import { type ReactNode, useEffect, useRef, useState } from 'react';

const zooms = [0.4, 0.55, 0.75, 1] as const;

interface ChartPlaceProps {
  readonly name: string;
  /** The state that is brought into view whenever it changes. */
  readonly state: string;
  readonly children: ReactNode;
}

/** Where a chart is looked at: it may be larger than the window, and what is lit is always in view. */
export function ChartPlace({ name, state, children }: ChartPlaceProps) {
  const place = useRef<HTMLElement>(null);
  const [zoom, setZoom] = useState(2);
  useEffect(() => {
    const of = state.split(',')[0] ?? '';
    const lit = place.current?.querySelector(`.state[data-state="${CSS.escape(of)}"]`);
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    lit?.scrollIntoView({ block: 'center', inline: 'center', behavior: calm ? 'auto' : 'smooth' });
  }, [state]);
  return (
    <div className="chart-place">
      <div className="chart-tools" role="toolbar" aria-label="Size of the chart">
        <button type="button" className="quiet" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
          Smaller
        </button>
        <button type="button" className="quiet" disabled={zoom === zooms.length - 1} onClick={() => setZoom(zoom + 1)}>
          Larger
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section ref={place} className="chart-scroll" aria-label={`Chart of ${name}`} tabIndex={0}>
        <div style={{ zoom: zooms[zoom] }}>{children}</div>
      </section>
    </div>
  );
}
