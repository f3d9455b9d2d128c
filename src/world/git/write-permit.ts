/**
 * Asks, right before something is written, whether it is still wanted; gives what asks once more at the last moment.
 * @throws Failure where nothing is to be written any more; so does what it gives
 */
export type WritePermit = () => Promise<() => void>;
