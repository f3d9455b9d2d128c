import type { RefObject } from 'react';
import { useActing } from '#page/acts/acting.tsx';
import type { LookKind } from '#page/fleet/look.ts';
import { Icon } from '#page/parts/icon.tsx';
import type { Counts, Filter } from './filter.ts';

const chips: readonly (readonly [kind: LookKind, word: string])[] = [
  ['waiting', 'waiting for you'],
  ['failed', 'failed'],
  ['uncertain', 'uncertain'],
  ['thinking', 'thinking'],
  ['idle', 'idle'],
  ['setting-up', 'setting up'],
  ['dormant', 'dormant'],
];

interface ToolbarProps {
  readonly counts: Counts;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly search: RefObject<HTMLInputElement | null>;
}

/** How many agents are at what, each a filter; the search; the launch. */
export function Toolbar({ counts, filter, onFilter, search }: ToolbarProps) {
  const { launch } = useActing();
  const toggle = (kind: LookKind): void => {
    const kinds = new Set(filter.kinds);
    if (!kinds.delete(kind)) kinds.add(kind);
    onFilter({ ...filter, kinds });
  };
  const shown = chips.filter(([kind]) => counts.ofKind[kind] !== undefined || filter.kinds.has(kind));
  return (
    <div className="toolbar" role="toolbar" aria-label="Agents to show">
      <div className="chips">
        {shown.map(([kind, word]) => (
          <button
            key={kind}
            type="button"
            className="chip"
            data-kind={kind}
            aria-pressed={filter.kinds.has(kind)}
            onClick={() => toggle(kind)}
          >
            <b>{counts.ofKind[kind] ?? 0}</b> {word}
          </button>
        ))}
        {counts.hidden > 0 && (
          <button
            type="button"
            className="chip"
            aria-pressed={filter.withHidden}
            title="agents that their schedule keeps out of sight"
            onClick={() => onFilter({ ...filter, withHidden: !filter.withHidden })}
          >
            <b>{counts.hidden}</b> hidden
          </button>
        )}
      </div>
      <label className="search">
        <Icon name="search" />
        <span className="unseen">Search agents</span>
        <input
          ref={search}
          type="search"
          placeholder="Search"
          value={filter.words}
          aria-keyshortcuts="/"
          onChange={(event) => onFilter({ ...filter, words: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            onFilter({ ...filter, words: '' });
            event.currentTarget.blur();
          }}
        />
      </label>
      <button type="button" className="button primary" onClick={launch} aria-keyshortcuts="n">
        Launch <kbd>n</kbd>
      </button>
    </div>
  );
}
