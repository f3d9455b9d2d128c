/** The setting that holds by how many milliseconds the stored times were moved in all, because the clock was set. */
export const clockSteps = 'clock-steps';
