import { type KeyboardEvent, useContext } from 'react';
import { type ChangeData, type GutterOptions, getChangeKey, isDelete, isNormal } from 'react-diff-view';
import { numbersOf } from './patch.ts';
import { rangesOf, rangeText } from './ranges.ts';
import { HunkSelection } from './selecting.ts';

/** Renders the gutter of a row on one side: its line number. That of the row's own side selects the row. */
export function renderNumber({ change, side }: GutterOptions) {
  const isOwn = side === (isDelete(change) ? 'old' : 'new');
  if (isOwn) return <LineNumber change={change} />;
  return isNormal(change) ? change.oldLineNumber : null;
}

/** A line number by which the row is selected. */
function LineNumber({ change }: { readonly change: ChangeData }) {
  const { path, count, current, places, select } = useContext(HunkSelection);
  const at = places.get(getChangeKey(change)) ?? 0;
  const { old, fresh } = numbersOf(change);
  const key = (event: KeyboardEvent<HTMLElement>): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) {
      const next = Math.min(count - 1, Math.max(0, at + by));
      select({ act: 'go', start: at, at: next, isExtended: event.shiftKey });
      event.currentTarget.closest('.hunk')?.querySelector<HTMLElement>(`[data-at="${next}"]`)?.focus();
    } else if (event.key === 'Enter' || event.key === 'c') select({ act: 'write', at });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <button
      type="button"
      data-at={at}
      tabIndex={at === current ? 0 : -1}
      aria-label={`Comment on ${rangeText(rangesOf([change]))} of ${path}`}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.releasePointerCapture(event.pointerId);
        select({ act: 'press', at, isExtended: event.shiftKey });
      }}
      onKeyDown={key}
    >
      {fresh ?? old}
    </button>
  );
}
