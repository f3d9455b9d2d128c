import { type ReactNode, useEffect, useId, useRef } from 'react';
import './dialog.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A window over the page: the browser keeps the focus within it, and gives it back to where it was. The focus begins at
 * what is marked `data-first`, else at the first field.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = place.current;
    dialog?.showModal();
    const first = dialog?.querySelector<HTMLElement>('[data-first]');
    (first ?? dialog?.querySelector<HTMLElement>('textarea, input, select'))?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={place}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="quiet" onClick={onClose}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  );
}
