import { useEffect, useRef } from 'react';
import './output.css';
import { plainText } from './plain-text.ts';

interface OutputProps {
  readonly output: string;
  readonly isTruncated: boolean;
  readonly isRunning: boolean;
}

/** The output of a script. Its end stays in view while it grows, unless the person has scrolled up. */
export function Output({ output, isTruncated, isRunning }: OutputProps) {
  const place = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was added says when
  useEffect(() => {
    if (isAtEnd.current && place.current !== null) place.current.scrollTop = place.current.scrollHeight;
  }, [output]);
  const text = plainText(output);
  return (
    <section className="section">
      <h3>Output{isRunning && ', live'}</h3>
      {isTruncated && <p className="muted">Only the end is stored.</p>}
      {text === '' ? (
        <p className="muted">No output.</p>
      ) : (
        <pre
          ref={place}
          className="output"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          tabIndex={0}
          role="log"
          aria-label="Output"
          onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
            isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
          }}
        >
          {text}
        </pre>
      )}
    </section>
  );
}
