/** The address for a link; undefined unless it is http or https. */
export function webAddress(url: string): string | undefined {
  return /^https?:\/\//.test(url) ? url : undefined;
}
