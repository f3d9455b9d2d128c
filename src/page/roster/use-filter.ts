import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Filter, filterFrom, readFilterSearch, searchFrom } from './filter.ts';

/**
 * The address is updated this many milliseconds after the last key, because browsers limit how often a page may update
 * it.
 */
const writeMs = 250;

/** The filter of the list. It is stored in the page's address, so that it survives a reload. */
export function useFilter(): readonly [filter: Filter, setFilter: (filter: Filter) => void] {
  const navigate = useNavigate();
  const said = textOf(readFilterSearch(useSearch({ strict: false })));
  const [text, setText] = useState(said);
  const written = useRef(said);
  // The person navigated in the history, or followed a link.
  useEffect(() => {
    if (said === written.current) return;
    written.current = said;
    setText(said);
  }, [said]);
  useEffect(() => {
    if (text === written.current) return;
    const timer = window.setTimeout(() => {
      written.current = text;
      void navigate({ to: '.', search: searchFrom(parse(text)), replace: true });
    }, writeMs);
    return () => window.clearTimeout(timer);
  }, [text, navigate]);
  const filter = useMemo(() => parse(text), [text]);
  return [filter, (wanted) => setText(textOf(searchFrom(wanted)))];
}

function textOf({ q, state, project, workflow, host, hidden }: ReturnType<typeof searchFrom>): string {
  return JSON.stringify({ q, state, project, workflow, host, hidden });
}

function parse(text: string): Filter {
  return filterFrom(readFilterSearch(JSON.parse(text)));
}
