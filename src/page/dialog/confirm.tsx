import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  /** The question, such as `Delete nightly?`. */
  readonly question: string;
  /** What it would do. */
  readonly what: string | undefined;
  /** The word of the button that does it. */
  readonly yes: string;
  readonly onYes: () => void;
  readonly onClose: () => void;
}

/** Asks before an act that takes something away. The focus is on the way back. */
export function Confirm({ question, what, yes, onYes, onClose }: ConfirmProps) {
  return (
    <Dialog title={question} onClose={onClose}>
      <div className="body">
        <p>{what}</p>
        <div className="foot">
          <button type="button" className="button" data-first onClick={onClose}>
            Cancel
          </button>
          <button type="button" className="button danger" onClick={onYes}>
            {yes}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
