/** What an agent's pane is stamped with when the line of a doorbell was pasted, and when it was submitted. */
export function bellStamps(bellId: string): { readonly pasted: string; readonly rung: string } {
  return { pasted: `bell:${bellId}:pasted`, rung: `bell:${bellId}:rung` };
}
