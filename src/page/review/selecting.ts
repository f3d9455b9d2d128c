import { type KeyboardEvent, type PointerEvent, useState } from 'react';

interface Selected {
  readonly from: number;
  readonly to: number;
  /** Whether a comment on it is being written. */
  readonly isWriting: boolean;
}

/** The choice of rows of a hunk, by mouse or by keyboard. */
export interface Selecting {
  /** The row that the keyboard is at. */
  readonly current: number;
  /** The chosen rows; -1 where none are. */
  readonly first: number;
  readonly last: number;
  readonly isWriting: boolean;
  holds(at: number): boolean;
  press(at: number, event: PointerEvent<HTMLElement>): void;
  drag(at: number, buttons: number): void;
  key(at: number, event: KeyboardEvent<HTMLElement>): void;
  /** What was dragged over is to be commented on. */
  write(): void;
  /** The mouse has gone away before it was let go. */
  abandon(): void;
  end(): void;
}

/** The choice among so many rows. */
export function useSelecting(count: number): Selecting {
  const [selected, setSelected] = useState<Selected>();
  const [current, setCurrent] = useState(0);
  const isDragged = selected?.isWriting === false;
  const first = selected ? Math.min(selected.from, selected.to) : -1;
  const last = selected ? Math.max(selected.from, selected.to) : -1;
  const end = (): void => setSelected(undefined);
  const goTo = (at: number, isExtended: boolean, place: HTMLElement): void => {
    const next = Math.min(count - 1, Math.max(0, at));
    setCurrent(next);
    setSelected(isExtended ? { from: selected?.from ?? current, to: next, isWriting: false } : undefined);
    place.closest('tbody')?.querySelector<HTMLElement>(`[data-at="${next}"]`)?.focus();
  };
  return {
    current,
    first,
    last,
    isWriting: selected?.isWriting ?? false,
    holds: (at) => selected !== undefined && at >= first && at <= last,
    press(at, event) {
      if (event.button !== 0) return;
      event.preventDefault();
      event.currentTarget.releasePointerCapture(event.pointerId);
      setSelected({ from: event.shiftKey ? current : at, to: at, isWriting: false });
      setCurrent(at);
    },
    drag(at, buttons) {
      if (buttons === 1 && isDragged) setSelected({ ...selected, to: at });
    },
    key(at, event) {
      if (event.key === 'ArrowDown') goTo(at + 1, event.shiftKey, event.currentTarget);
      else if (event.key === 'ArrowUp') goTo(at - 1, event.shiftKey, event.currentTarget);
      else if (event.key === 'Enter' || event.key === 'c') {
        setSelected({ from: selected?.from ?? at, to: at, isWriting: true });
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
    write() {
      if (isDragged) setSelected({ ...selected, isWriting: true });
    },
    abandon() {
      if (isDragged) end();
    },
    end,
  };
}
