interface FormFootProps {
  /** The label of the submit button, such as `Connect`. */
  readonly submit: string;
  /** The label of the cancel button. */
  readonly leave?: string;
  readonly isBusy: boolean;
  readonly onLeave: () => void;
}

/** The buttons at the end of a form in a dialog. */
export function FormFoot({ submit, leave = 'Cancel', isBusy, onLeave }: FormFootProps) {
  return (
    <div className="foot">
      <button type="button" className="button" onClick={onLeave}>
        {leave}
      </button>
      <button type="submit" className="button primary" disabled={isBusy}>
        {submit}
      </button>
    </div>
  );
}
