/** Where a web address leads; only http and https are followed. */
export function webAddress(url: string): string | undefined {
  return /^https?:\/\//.test(url) ? url : undefined;
}
