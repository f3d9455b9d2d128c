import { useRef } from 'react';

/**
 * Returns a function that gives an idempotency key: the same key as long as the content is the same, so that a request
 * whose answer was lost is not performed twice.
 */
export function useOnceKey(): (sent: object) => string {
  const known = useRef({ sent: '', key: '' });
  return (sent) => {
    const text = JSON.stringify(sent);
    if (known.current.sent !== text) known.current = { sent: text, key: crypto.randomUUID() };
    return known.current.key;
  };
}
