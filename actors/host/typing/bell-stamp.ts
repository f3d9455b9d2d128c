/** The stamps of an agent's pane after a doorbell's line was pasted, and after it was submitted. */
export function bellStamps(bellId: string): { readonly pasted: string; readonly rung: string } {
  return { pasted: `bell:${bellId}:pasted`, rung: `bell:${bellId}:rung` };
}

/** The stamps of the doorbell whose line was pasted and not submitted, by a pane's stamp; undefined if there is none. */
export function pastedStamps(stamp: string | undefined): ReturnType<typeof bellStamps> | undefined {
  const [, bellId] = /^bell:([^:]+):pasted$/.exec(stamp ?? '') ?? [];
  return bellId === undefined ? undefined : bellStamps(bellId);
}
