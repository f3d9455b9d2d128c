import { type ChangeData, isDelete } from 'react-diff-view';
import { agents } from '#page/api/clients.ts';
import { markers } from './code/patch.ts';
import { rangesOf, rangeText } from './code/ranges.ts';
import { CommentForm } from './comment-form.tsx';
import type { FileProps } from './shown-file.ts';

interface NewCommentProps extends FileProps {
  readonly rows: readonly ChangeData[];
  readonly onEnd: () => void;
}

/** Writes a comment on rows and, optionally, a suggestion to replace them. */
export function NewComment({ agentId, file, baseSha, snapshotSha, act, rows, onEnd }: NewCommentProps) {
  const replaced = rows.filter((row) => !isDelete(row)).map(({ content }) => content);
  const comment = (body: string, suggestion: readonly string[], sent: () => void): void => {
    const write = () =>
      agents.createReviewThread({
        ...rangesOf(rows),
        agentId,
        filePath: file.path,
        baseSha,
        snapshotSha,
        quotedLines: rows.map(({ type, content }) => `${markers[type]}${content}`),
        body,
        suggestion: [...suggestion],
      });
    const end = (): void => {
      sent();
      onEnd();
    };
    act.mutate(write, { onSuccess: end });
  };
  return (
    <CommentForm
      draftKey={`${snapshotSha} ${file.path} ${rangeText(rangesOf(rows))}`}
      label={`Comment on ${rangeText(rangesOf(rows))}`}
      lines={replaced.length > 0 ? replaced : undefined}
      submitLabel="Comment"
      isBusy={act.isPending}
      onSubmit={comment}
      onCancel={onEnd}
    />
  );
}
