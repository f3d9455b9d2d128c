/** A machine, by the name that it is asked for. */
export type MachineName = 'agent' | 'doorbell' | 'firing' | 'host' | 'review-batch' | 'schedule' | 'sweep';
