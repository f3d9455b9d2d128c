import { useRef } from 'react';

/**
 * Returns the key under which something is done once, however often it is sent: the same for as long as what is sent is
 * the same, so that one whose answer was lost is not done twice, and another one for anything else.
 */
export function useOnceKey(): (sent: object) => string {
  const known = useRef({ sent: '', key: '' });
  return (sent) => {
    const text = JSON.stringify(sent);
    if (known.current.sent !== text) known.current = { sent: text, key: crypto.randomUUID() };
    return known.current.key;
  };
}
