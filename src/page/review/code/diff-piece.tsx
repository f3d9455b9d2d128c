import { memo, type ReactNode, useMemo } from 'react';
import { type ChangeData, Decoration, Diff, type DiffProps, type EventMap, Hunk } from 'react-diff-view';
import { renderNumber } from './line-number.tsx';
import { asHunkData } from './patch.ts';
import { useNear } from './use-near.ts';
import { type HighlightInput, useTokens } from './use-tokens.ts';

interface PieceProps extends HighlightInput, Pick<DiffProps, 'diffType'> {
  /** The hunk's heading, if this is its first piece; else empty. */
  readonly where: string;
  readonly isSplit: boolean;
  /** The keys of the selected rows. */
  readonly chosen: string[];
  /** The content below rows, by their keys. */
  readonly below: Record<string, ReactNode>;
  readonly lineClass: (changes: readonly (ChangeData | null)[]) => string;
  readonly events: EventMap;
}

/** Rows that are rendered when they come near the viewport, or at once if they have comments. */
export const DiffPiece = memo(function DiffPiece(props: PieceProps) {
  const [isNear, place] = useNear<HTMLDivElement>();
  const isDrawn = isNear || Object.keys(props.below).length > 0;
  return (
    // The placeholder is as high as the rows will be.
    <div ref={place} className="piece" data-drawn={isDrawn} style={{ '--rows': props.rows.length } as object}>
      {isDrawn && <DrawnPiece {...props} />}
    </div>
  );
});

function DrawnPiece({ diffType, where, isSplit, chosen, below, lineClass, events, ...plain }: PieceProps) {
  const tokens = useTokens(plain);
  const hunks = useMemo(() => [asHunkData(plain.rows)], [plain.rows]);
  const classes = useMemo(() => {
    return ({ changes }: { changes: (ChangeData | null)[] }) => lineClass(changes);
  }, [lineClass]);
  return (
    <Diff
      diffType={diffType}
      hunks={hunks}
      viewType={isSplit ? 'split' : 'unified'}
      optimizeSelection
      selectedChanges={chosen}
      widgets={below}
      tokens={tokens ?? null}
      renderGutter={renderNumber}
      generateLineClassName={classes}
      gutterEvents={events}
      codeEvents={events}
    >
      {(shown) => [
        ...(where === '' ? [] : [<Decoration key="where">{where}</Decoration>]),
        ...shown.map((hunk) => <Hunk key="rows" hunk={hunk} />),
      ]}
    </Diff>
  );
}
