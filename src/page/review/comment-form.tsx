import { useId } from 'react';
import { useDraft } from '#page/dialog/use-draft.ts';

interface CommentFormProps {
  /** The key under which the draft is kept, even if the rows are rendered again or their file was folded. */
  readonly draftKey: string;
  /** The label of the field. */
  readonly label: string;
  /** The lines that a suggestion would replace; undefined if there are none. */
  readonly lines: readonly string[] | undefined;
  readonly before?: { readonly body: string; readonly suggestion: readonly string[] };
  readonly submitLabel: string;
  readonly isBusy: boolean;
  /** Must call `sent` once the comment is saved. */
  readonly onSubmit: (body: string, suggestion: readonly string[], sent: () => void) => void;
  readonly onCancel: () => void;
}

/** Writes a comment and, optionally, a suggestion to replace the lines. */
export function CommentForm({
  draftKey,
  label,
  lines,
  before,
  submitLabel,
  isBusy,
  onSubmit,
  onCancel,
}: CommentFormProps) {
  const suggestion = before?.suggestion ?? [];
  const { draft, write, clear } = useDraft<{ readonly body: string; readonly suggested: string | undefined }>(
    draftKey,
    {
      body: before?.body ?? '',
      suggested: suggestion.length > 0 ? suggestion.join('\n') : undefined,
    },
  );
  const { body, suggested } = draft;
  const cancel = (): void => {
    clear();
    onCancel();
  };
  const ids = { body: useId(), suggestion: useId() };
  const isReady = body.trim() !== '' && !isBusy;
  const submit = (): void => {
    if (isReady) onSubmit(body, suggested === undefined ? [] : suggested.split('\n'), clear);
  };
  return (
    <form
      className="comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          submit();
        } else if (event.key === 'Escape') {
          event.stopPropagation();
          cancel();
        }
      }}
    >
      <div className="field">
        <label htmlFor={ids.body}>{label}</label>
        <textarea
          id={ids.body}
          // biome-ignore lint/a11y/noAutofocus: the form is opened to be written in
          autoFocus
          rows={3}
          maxLength={1_000}
          value={body}
          onChange={(event) => write({ body: event.target.value, suggested })}
        />
      </div>
      {suggested !== undefined && (
        <div className="field">
          <label htmlFor={ids.suggestion}>Replace these lines with</label>
          <textarea
            id={ids.suggestion}
            className="code"
            rows={Math.min(14, suggested.split('\n').length + 1)}
            spellCheck={false}
            value={suggested}
            onChange={(event) => write({ body, suggested: event.target.value })}
          />
        </div>
      )}
      <div className="foot">
        {lines === undefined ? (
          <span />
        ) : (
          <button
            type="button"
            className="quiet"
            onClick={() => write({ body, suggested: suggested === undefined ? lines.join('\n') : undefined })}
          >
            {suggested === undefined ? 'Suggest a change' : 'Without a suggestion'}
          </button>
        )}
        <span className="form-acts">
          <button type="button" className="button" onClick={cancel}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!isReady}>
            {submitLabel} <kbd>Ctrl ⏎</kbd>
          </button>
        </span>
      </div>
    </form>
  );
}
