/**
 * Asks, right before something is written, whether it is still wanted; returns what asks again at the last moment.
 * @throws Failure when nothing is to be written any more; so does what it gives
 */
export type WritePermit = () => Promise<() => void>;
