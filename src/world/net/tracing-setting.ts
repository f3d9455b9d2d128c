type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What OpenTelemetry's variables request: no traces, traces to an address, or something unsupported, with the reason.
 */
export type TracingSetting =
  | { readonly kind: 'off' }
  | { readonly kind: 'on'; readonly endpoint: string }
  | { readonly kind: 'refused'; readonly why: string };

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
];

/**
 * Reads the variables without loading the library. A variable that requests something unsupported does not prevent a
 * start, because it may have been set for another program.
 */
export function tracingSettingOf(environment: Environment): TracingSetting {
  const exporter = environment['OTEL_TRACES_EXPORTER'] || 'otlp';
  const [name, given] = endpointIn(environment);
  if (given === undefined || environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || exporter === 'none') {
    return { kind: 'off' };
  }
  const protocolName = environment['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL']
    ? 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'
    : 'OTEL_EXPORTER_OTLP_PROTOCOL';
  const protocol = environment[protocolName] || 'http/json';
  const sampler = environment['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  if (exporter !== 'otlp') return refused('OTEL_TRACES_EXPORTER', exporter, 'otlp or none');
  if (protocol !== 'http/json') return refused(protocolName, protocol, 'http/json');
  if (!samplers.includes(sampler)) return refused('OTEL_TRACES_SAMPLER', sampler, `one of ${samplers.join(', ')}`);
  const endpoint = URL.parse(given);
  if (endpoint === null || !/^https?:$/.test(endpoint.protocol)) {
    return refused(name, given.replace(/\/\/[^/@]*@/, '//…@'), 'an http or https address');
  }
  if (name === 'OTEL_EXPORTER_OTLP_ENDPOINT') endpoint.pathname = `${endpoint.pathname.replace(/\/$/, '')}/v1/traces`;
  return { kind: 'on', endpoint: endpoint.href };
}

function endpointIn(environment: Environment): readonly [name: string, value: string | undefined] {
  const own = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const all = 'OTEL_EXPORTER_OTLP_ENDPOINT';
  return environment[own] ? [own, environment[own]] : [all, environment[all] || undefined];
}

function refused(name: string, value: string, takes: string): TracingSetting {
  return { kind: 'refused', why: `${name} is ${JSON.stringify(value)}: it must be ${takes}` };
}
