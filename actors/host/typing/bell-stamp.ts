/** The stamps of an agent's pane after a doorbell's line was pasted, and after it was submitted. */
export function bellStamps(bellId: string): { readonly pasted: string; readonly rung: string } {
  return { pasted: `bell:${bellId}:pasted`, rung: `bell:${bellId}:rung` };
}
