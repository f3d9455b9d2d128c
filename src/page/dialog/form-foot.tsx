interface FormFootProps {
  /** What sends the form, such as `Connect`. */
  readonly submit: string;
  /** What leaves it. */
  readonly leave?: string;
  readonly isBusy: boolean;
  readonly onLeave: () => void;
}

/** The end of a form in a window: to leave it, or to send it. */
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
