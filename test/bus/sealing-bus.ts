import type { Bus } from '#bus/bus.ts';

/** The bus of a gateway that knows one registry, and seals its requests to it. */
export function sealingTo(registry: Pick<Bus, 'sealKey'>, bus: Bus): Bus {
  const request: Bus['request'] = (subject, body, options) =>
    bus.request(subject, body, { ...options, sealTo: registry.sealKey });
  return Object.assign(Object.create(bus), { request });
}
