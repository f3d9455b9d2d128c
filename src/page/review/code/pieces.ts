import { type ChangeData, isDelete, isInsert } from 'react-diff-view';

/** How many rows are rendered at once: enough for two screens, few enough to be rendered within a frame. */
const pieceRows = 80;

/**
 * Splits rows into pieces that are rendered one by one as they come near the viewport. Deleted rows stay with the rows
 * that follow them.
 */
export function piecesOf(changes: readonly ChangeData[]): readonly (readonly ChangeData[])[] {
  const pieces: ChangeData[][] = [];
  for (const change of changes) {
    const piece = pieces.at(-1);
    const last = piece?.at(-1);
    const isPair = last !== undefined && isDelete(last) && isInsert(change);
    if (piece !== undefined && (piece.length < pieceRows || isPair)) piece.push(change);
    else pieces.push([change]);
  }
  return pieces;
}
