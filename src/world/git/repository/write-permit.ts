/**
 * Requests a permit right before a write. Returns a function that checks at the last moment that it is still valid.
 * @throws Failure when the write is no longer wanted, as does the returned function
 */
export type WritePermit = () => Promise<() => void>;
