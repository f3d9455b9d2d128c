import { clockText } from '#page/parts/when.tsx';
import { dayName, daysShown, placeOf } from './days.ts';
import type { UpcomingTimes } from './upcoming-times.ts';

/** The width of a day in the drawing: one unit per minute. */
const dayWidth = 1_440;
const width = dayWidth * daysShown;

interface StripProps {
  readonly name: string;
  readonly coming: UpcomingTimes | undefined;
  readonly edges: readonly number[];
  readonly now: number;
}

/** The firings of a schedule in the calendar: a line for each, and a band if there are too many for lines. */
export function Strip({ name, coming = { times: [], more: false }, edges, now }: StripProps) {
  const x = (at: number): number => Math.round(placeOf(at, edges) * dayWidth);
  const end = edges.at(-1) ?? now;
  const shown = coming.times.filter((at) => at < end);
  const last = shown.at(-1);
  const strokes = shown.map((at) => `M${x(at)} 5V19`).join('');
  const lines = edges.slice(1, -1).map((edge) => `M${x(edge)} 0V24`);
  return (
    <svg
      className="strip"
      viewBox={`0 0 ${width} 24`}
      preserveAspectRatio="none"
      role="img"
      aria-label={describe(name, shown, coming.more)}
    >
      <rect className="strip-past" width={x(now)} height="24" />
      <path className="strip-days" d={lines.join('')} />
      {coming.more && last !== undefined && (
        <rect className="strip-band" x={x(last)} y="5" width={width - x(last)} height="14" />
      )}
      <path className="strip-times" d={strokes} />
    </svg>
  );
}

function describe(name: string, times: readonly number[], more: boolean): string {
  const [first] = times;
  if (first === undefined) return `${name} does not fire in these days`;
  const count = `${times.length}${more ? ' times and more' : times.length === 1 ? ' time' : ' times'}`;
  return `${name} fires ${count} in these days, next ${clockText(first)}`;
}

/** The names of the days above the calendar. */
export function StripHead({ edges }: { readonly edges: readonly number[] }) {
  return (
    <div className="strip-head" aria-hidden="true">
      {edges.slice(0, -1).map((edge, place) => (
        <span key={edge}>
          {dayName(edge, place)} <i>{place > 0 && new Date(edge).getDate()}</i>
        </span>
      ))}
    </div>
  );
}
