import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  /** The question, such as `Delete nightly?`. */
  readonly question: string;
  /** The consequences of the action. */
  readonly what: string | undefined;
  /** The label of the button that confirms. */
  readonly yes: string;
  readonly onYes: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation of an act that cannot be undone. The button that cancels has the focus. */
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
