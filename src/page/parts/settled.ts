import { useEffect, useState } from 'react';

/** A text, delayed until it has not changed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), 200);
    return () => window.clearTimeout(timer);
  }, [text]);
  return settled;
}
