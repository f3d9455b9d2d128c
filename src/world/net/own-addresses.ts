import { hostname, networkInterfaces } from 'node:os';

/** The IP addresses of this machine that others may reach, IPv4 first. Addresses of a link alone are left out. */
export function networkAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  const others = all.filter(({ internal, address }) => !internal && !address.toLowerCase().startsWith('fe80:'));
  return others.toSorted((one, other) => one.family.localeCompare(other.family)).map(({ address }) => address);
}

/** The names and IP addresses by which programs on this machine and on others call it. */
export function ownNames(): readonly string[] {
  const name = hostname();
  const isName = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(name);
  return ['localhost', ...(isName ? [name] : []), '127.0.0.1', '::1', ...networkAddresses()];
}
