import { useMemo } from 'react';
import { type ChangeData, Diff, Hunk } from 'react-diff-view';
import { languageOf } from './languages.ts';
import { asHunkData, pairsOf } from './patch.ts';
import { useTokens } from './use-tokens.ts';

interface StillRowsProps {
  readonly path: string;
  /** Must be the same array as long as the rows are the same. */
  readonly rows: readonly ChangeData[];
}

/** Read-only rows without line numbers, for a quotation or a suggestion. */
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
