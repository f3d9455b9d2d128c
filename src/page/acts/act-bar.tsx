/** An act: its label, its key and what it does; undefined while what it needs is not known. */
export type ActButton = readonly [label: string, key: string, run: (() => void) | undefined];

/** The acts of a panel as buttons, each with its key. */
export function ActBar({ offered, isBusy }: { readonly offered: readonly ActButton[]; readonly isBusy: boolean }) {
  return offered.map(([label, key, run]) => (
    <button
      key={key}
      type="button"
      className="button"
      disabled={isBusy || run === undefined}
      onClick={run}
      aria-keyshortcuts={key}
    >
      {label} <kbd>{key}</kbd>
    </button>
  ));
}
