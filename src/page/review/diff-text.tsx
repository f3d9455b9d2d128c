import { type DiffRow, markers } from './patch.ts';

/** A row of a diff with its marker, as what it is: put in, taken away, or as it was. */
export function DiffText({ kind, text }: Pick<DiffRow, 'kind' | 'text'>) {
  const marked = `${markers[kind]}${text}`;
  if (kind === 'added') return <ins>{marked}</ins>;
  return kind === 'deleted' ? <del>{marked}</del> : <span>{marked}</span>;
}
