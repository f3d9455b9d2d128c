import { cloneElement, type ReactElement, useId } from 'react';

interface Input {
  readonly id?: string;
  readonly 'aria-invalid'?: boolean;
  readonly 'aria-describedby'?: string;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  /** The service's error for it. */
  readonly wrong?: string | undefined;
  /** The input. */
  readonly children: ReactElement<Input>;
}

/** A field of a form, with its error below it. */
export function Field({ label, hint, wrong, children }: FieldProps) {
  const id = useId();
  const marks = {
    id,
    'aria-describedby': `${id}-said`,
    ...(wrong !== undefined && { 'aria-invalid': true }),
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, marks)}
      <div id={`${id}-said`}>
        {wrong !== undefined ? (
          <p role="alert" className="wrong">
            {wrong}
          </p>
        ) : (
          hint !== undefined && <small>{hint}</small>
        )}
      </div>
    </div>
  );
}
