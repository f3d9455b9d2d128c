import { useMemo } from 'react';
import type { ReviewThread } from '#page/client/agent/v1/agent_pb.js';
import { markers } from './code/patch.ts';
import { StillRows } from './code/still-rows.tsx';
import { changesOf, quotedRows } from './suggested.ts';

interface QuotationProps {
  readonly thread: ReviewThread;
}

/** The lines that a thread is about, as they were in its round. */
export function Quotation({ thread }: QuotationProps) {
  const text = thread.quotedLines.join('\n');
  const rows = useMemo(() => quotedRows(text.split('\n')), [text]);
  return <StillRows path={thread.filePath} rows={rows} />;
}

interface SuggestionProps extends QuotationProps {
  readonly lines: readonly string[];
}

/** A suggestion for the lines of a thread, as a change. */
export function Suggestion({ thread, lines }: SuggestionProps) {
  const [old, fresh] = [JSON.stringify(linesOf(thread)), JSON.stringify(lines)];
  // Without quoted lines, none are shown as replaced.
  const rows = useMemo(() => changesOf(JSON.parse(old) as string[], JSON.parse(fresh) as string[], 1), [old, fresh]);
  return (
    <div className="suggestion">
      <span className="muted">Suggests</span>
      <StillRows path={thread.filePath} rows={rows} />
    </div>
  );
}

/** The lines of the new side that a thread quotes. */
export function linesOf({ quotedLines }: ReviewThread): readonly string[] {
  return quotedLines.filter((line) => !line.startsWith(markers.delete)).map((line) => line.slice(1));
}
