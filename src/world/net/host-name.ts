import { domainToASCII } from 'node:url';

/** The name of a host as it is looked up: without a last dot, in lower case, and foreign letters encoded. May have wildcards. */
export function hostName(name: string): string {
  const labels = name.replace(/\.$/, '').toLowerCase().split('.');
  return labels.map((label) => (isForeign(label) ? domainToASCII(label) : label)).join('.');
}

/** Whether a label has letters that are looked up in another form; not one with wildcards. */
function isForeign(label: string): boolean {
  return /^[\p{L}\p{M}\p{N}-]+$/u.test(label) && !/^[\x20-\x7e]*$/.test(label);
}
