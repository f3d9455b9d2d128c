import type { ChangeData } from 'react-diff-view';
import { markers } from './code/patch.ts';

/**
 * The changes that a suggestion makes to lines from a line number on. Common lines at the start and the end are
 * unchanged.
 */
export function changesOf(before: readonly string[], after: readonly string[], start: number): readonly ChangeData[] {
  const shorter = Math.min(before.length, after.length);
  let top = 0;
  while (top < shorter && before[top] === after[top]) top += 1;
  let end = 0;
  while (end < shorter - top && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const kept = (at: number, by: number): ChangeData => ({
    type: 'normal',
    isNormal: true,
    content: before[at] ?? '',
    oldLineNumber: start + at,
    newLineNumber: start + at + by,
  });
  const taken = (content: string, at: number): ChangeData => {
    return { type: 'delete', isDelete: true, content, lineNumber: start + top + at };
  };
  const put = (content: string, at: number): ChangeData => {
    return { type: 'insert', isInsert: true, content, lineNumber: start + top + at };
  };
  const places = [...before.keys()];
  return [
    ...places.slice(0, top).map((at) => kept(at, 0)),
    ...before.slice(top, before.length - end).map(taken),
    ...after.slice(top, after.length - end).map(put),
    ...places.slice(before.length - end).map((at) => kept(at, after.length - before.length)),
  ];
}

/** Quoted lines, each with its marker, as rows that are numbered from 1. */
export function quotedRows(lines: readonly string[]): readonly ChangeData[] {
  let [old, fresh] = [0, 0];
  return lines.map((line): ChangeData => {
    const content = line.slice(1);
    if (line.startsWith(markers.insert)) return { type: 'insert', isInsert: true, content, lineNumber: ++fresh };
    if (line.startsWith(markers.delete)) return { type: 'delete', isDelete: true, content, lineNumber: ++old };
    return { type: 'normal', isNormal: true, content, oldLineNumber: ++old, newLineNumber: ++fresh };
  });
}
