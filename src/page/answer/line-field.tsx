import { useState } from 'react';
import { AnswerKind } from '#page/client/agent/v1/agent_pb.js';

interface FieldProps {
  readonly id: string;
  readonly kind: AnswerKind;
  readonly isReady: boolean;
  /** Returns whether the line was accepted. If not, the field keeps it. */
  readonly onLine: (line: string) => boolean;
}

/** A field for a line that is typed unchanged and submitted by Enter. A password is neither shown nor stored. */
export function LineField({ id, kind, isReady, onLine }: FieldProps) {
  const [line, setLine] = useState('');
  const isSecret = kind === AnswerKind.SECRET;
  return (
    <form
      className="line-answer"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && line !== '' && onLine(line)) setLine('');
      }}
    >
      <label htmlFor={id}>{isSecret ? 'Type it (hidden)' : 'Type an answer'}</label>
      <input
        id={id}
        type={isSecret ? 'password' : 'text'}
        autoComplete={isSecret ? 'new-password' : 'off'}
        maxLength={1_000}
        value={line}
        onChange={(event) => setLine(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
        dir="auto"
      />
      <button type="submit" className="button" disabled={!isReady || line === ''}>
        Type it
      </button>
    </form>
  );
}
