import { type ChangeData, isDelete, isInsert } from 'react-diff-view';

/** So many rows are drawn at once: enough for two screens, few enough to be drawn within a frame. */
const pieceRows = 80;

/** Rows in pieces that are drawn one by one as they come near. What was removed stays with what follows it. */
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
