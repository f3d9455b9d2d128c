import { type ReactNode, useEffect, useId, useRef } from 'react';
import './dialog.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A modal dialog: the browser keeps the focus inside it and returns it afterwards. The element marked `data-first`, or
 * else the first field, gets the focus.
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
