import type { RefObject } from 'react';
import { useActStarter } from '#page/acts/act-starter.tsx';
import type { StatusKind } from '#page/fleet/agent-status.ts';
import { Icon } from '#page/parts/icon.tsx';
import type { Counts, Filter } from './filter.ts';
import type { Choices } from './use-lines.ts';
import './toolbar.css';

const chips: readonly (readonly [kind: StatusKind, word: string])[] = [
  ['waiting', 'waiting for you'],
  ['failed', 'failed'],
  ['uncertain', 'uncertain'],
  ['thinking', 'thinking'],
  ['idle', 'idle'],
  ['setting-up', 'setting up'],
  ['ended', 'ended'],
];

const selects = [
  ['project', 'All projects'],
  ['workflow', 'All workflows'],
  ['host', 'All hosts'],
] as const satisfies readonly (readonly [key: keyof Choices, all: string])[];

interface ToolbarProps {
  readonly counts: Counts;
  readonly choices: Choices;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Moves to the first agent that was found. */
  readonly onEnter: () => void;
}

/** The number of agents by status, each of which is a filter; the search; and the launch button. */
export function Toolbar(props: ToolbarProps) {
  const { launch } = useActStarter();
  return (
    <div className="toolbar" role="toolbar" aria-label="Agents to show">
      <Chips {...props} />
      <Selects {...props} />
      <Search {...props} />
      <button type="button" className="button primary" onClick={launch} aria-keyshortcuts="n">
        Launch <kbd>n</kbd>
      </button>
    </div>
  );
}

function Chips({ counts, filter, onFilter }: ToolbarProps) {
  const toggle = (kind: StatusKind): void => {
    const kinds = new Set(filter.kinds);
    if (!kinds.delete(kind)) kinds.add(kind);
    onFilter({ ...filter, kinds });
  };
  const shown = chips.filter(([kind]) => counts.ofKind[kind] !== undefined || filter.kinds.has(kind));
  return (
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
          title="agents hidden by their schedule"
          onClick={() => onFilter({ ...filter, withHidden: !filter.withHidden })}
        >
          <b>{counts.hidden}</b> hidden
        </button>
      )}
    </div>
  );
}

/** The filters by name; one with a single choice is left out. */
function Selects({ choices, filter, onFilter }: ToolbarProps) {
  return selects.map(([key, all]) => {
    const names = choices[key];
    const chosen = filter[key];
    if (names.length < 2 && chosen === '') return null;
    return (
      <select
        key={key}
        className="narrow"
        aria-label={all}
        data-chosen={chosen !== ''}
        value={chosen}
        onChange={(event) => onFilter({ ...filter, [key]: event.target.value })}
      >
        <option value="">{all}</option>
        {[...new Set([...names, chosen])].filter(Boolean).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    );
  });
}

function Search({ filter, onFilter, search, onEnter }: ToolbarProps) {
  return (
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
          if (event.key === 'Enter') onEnter();
          if (event.key !== 'Escape' && event.key !== 'Enter') return;
          if (event.key === 'Escape') onFilter({ ...filter, words: '' });
          event.currentTarget.blur();
        }}
      />
    </label>
  );
}
