import { clockText, untilText } from '#page/parts/when.tsx';

interface TriedProps {
  /**
   * When the expression fires, in milliseconds since 1970, and the time zone of the machine; undefined while unknown.
   */
  readonly tried: { readonly times: readonly number[]; readonly timezone: string } | undefined;
  readonly timezone: string;
}

/** When the schedule that is being edited would fire. */
export function TriedTimes({ tried, timezone }: TriedProps) {
  const zone = timezone || tried?.timezone;
  return (
    <output className="tried muted">
      {tried === undefined && 'The next times appear here.'}
      {tried?.times.length === 0 && 'It does not fire within ten years.'}
      {tried !== undefined && tried.times.length > 0 && (
        <>
          Fires {untilText((tried.times[0] ?? 0) - Date.now())}, on the clock of {zone}:
          <ul className="times">
            {tried.times.map((at) => (
              <li key={at}>{clockText(at, zone)}</li>
            ))}
          </ul>
        </>
      )}
    </output>
  );
}
