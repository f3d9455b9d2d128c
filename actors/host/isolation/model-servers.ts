import { isLoopback } from '#contract/access/loopback.ts';
import type { Endpoints } from '#world/isolation/private-home.ts';

/** The model servers that variables such as ANTHROPIC_BASE_URL name: ports of this machine, and hosts. */
export function endpointsIn(env: Readonly<Record<string, string>>): Endpoints {
  const named = Object.entries(env).filter(([name]) => /(?:_BASE_URL|_API_BASE|_ENDPOINT|_HOST)$/.test(name));
  const urls = named
    .filter(([name]) => name !== 'SERVICE_BASE_URL')
    .flatMap(([, value]) => URL.parse(value) ?? [])
    .filter(({ protocol }) => /^https?:$/.test(protocol));
  const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));
  return {
    ports: urls.filter(({ hostname }) => isLoopback(hostname)).map(portOf),
    hosts: urls.filter(({ hostname }) => !isLoopback(hostname)).map((url) => `${url.hostname}:${portOf(url)}`),
  };
}
