import { useMemo } from 'react';
import { type ChangeData, Diff, Hunk } from 'react-diff-view';
import { languageOf } from './languages.ts';
import { asHunkData, pairsOf } from './patch.ts';
import { useTokens } from './use-tokens.ts';

interface StillRowsProps {
  readonly path: string;
  /** The same list as long as they are the same rows. */
  readonly rows: readonly ChangeData[];
}

/** Rows that are only looked at, without numbers: a quotation, a suggestion. */
export function StillRows({ path, rows }: StillRowsProps) {
  const pairs = useMemo(() => pairsOf(rows), [rows]);
  const tokens = useTokens({ rows, all: rows, pairs, language: languageOf(path) });
  const hunks = useMemo(() => [asHunkData(rows)], [rows]);
  return (
    <div className="still-rows">
      <Diff diffType="modify" viewType="unified" gutterType="none" hunks={hunks} tokens={tokens ?? null}>
        {(shown) => shown.map((hunk) => <Hunk key="rows" hunk={hunk} />)}
      </Diff>
    </div>
  );
}
