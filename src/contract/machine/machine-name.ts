/** The name of a state machine. */
export type MachineName = 'agent' | 'doorbell' | 'firing' | 'host' | 'review-batch' | 'schedule' | 'sweep';
