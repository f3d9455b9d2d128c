/** With fewer panes than this, that most of them end at once is nothing out of the way. */
const fewPanes = 5;

/**
 * Whether so many panes seem to have ended at once that it is more likely that they are only not seen: more than half
 * of at least five. `panes` counts all that were there, those that seem to have ended included.
 */
export function seemsMassDeath(ended: number, panes: number): boolean {
  return panes >= fewPanes && 2 * ended > panes;
}
