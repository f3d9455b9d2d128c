/** With fewer panes than this, it is not unusual that most of them end at once. */
const fewPanes = 5;

/**
 * Whether the number of panes that seem to have ended at once suggests a fault of the machine: more than half of at
 * least five. `panes` counts all that were there, those that seem to have ended included.
 */
export function seemsHostFault(ended: number, panes: number): boolean {
  return panes >= fewPanes && 2 * ended > panes;
}
