import { useSyncExternalStore } from 'react';
import './notices.css';

/**
 * The result of an action. A failure stays until it is dismissed; other notices disappear after a few seconds, unless
 * they are made to stay.
 */
export interface Notice {
  readonly tone: 'done' | 'failed';
  readonly text: string;
  readonly stays?: true;
}

const doneMs = 4_000;
/** The maximum number of notices; the oldest is removed. */
const max = 4;

let shown: readonly (Notice & { readonly id: number })[] = [];
let last = 0;
const listeners = new Set<() => void>();

function show(next: typeof shown): void {
  shown = next;
  for (const listener of listeners) listener();
}

function dismiss(id: number): void {
  show(shown.filter((one) => one.id !== id));
}

/** Shows a person the result of an action. */
export function showNotice(notice: Notice): void {
  last += 1;
  const id = last;
  show([...shown, { ...notice, id }].slice(-max));
  if (notice.tone === 'done' && !notice.stays) window.setTimeout(() => dismiss(id), doneMs);
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The area in which notices appear. Screen readers announce them. */
export function Notices() {
  const notices = useSyncExternalStore(listen, () => shown);
  return (
    <section className="notices" aria-label="Notices" aria-live="polite">
      {notices.map(({ id, tone, text }) => (
        <div key={id} className="notice" data-tone={tone} role={tone === 'failed' ? 'alert' : undefined}>
          <p>{text}</p>
          <button type="button" className="quiet" onClick={() => dismiss(id)} aria-label="Dismiss">
            <span aria-hidden="true">✕</span>
          </button>
        </div>
      ))}
    </section>
  );
}
