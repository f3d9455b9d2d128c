import { readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const ports = z.array(z.string()).default([]);
const Network = z.object({ aliases: z.array(z.string()).default([]) });
const Service = z.object({
  image: z.string(),
  user: z.string().optional(),
  restart: z.string(),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.union([z.string(), z.number()]).transform(String)).default({}),
  volumes: z.array(z.string()).default([]),
  secrets: z.array(z.union([z.string(), z.object({ source: z.string(), target: z.string() })])).default([]),
  networks: z.union([z.array(z.string()), z.record(z.string(), Network)]),
  healthcheck: z.object({ test: z.tuple([z.literal('CMD')], z.string()) }),
  ports,
});
const File = z.object({
  services: z.record(z.string(), Service),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

/** A file or folder of this machine that a container sees. */
interface Mount {
  readonly from: string;
  readonly to: string;
  /** A volume of the engine has no place of its own here. */
  readonly kind: 'secret' | 'bind' | 'volume';
}

/** A service as compose.yaml describes it. */
export interface ComposeService {
  readonly name: string;
  readonly image: string;
  readonly user: string | undefined;
  readonly restart: string;
  /** Undefined if it is the image's own. */
  readonly entrypoint: readonly string[] | undefined;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** The networks that it is on, each with its further names there. */
  readonly networks: ReadonlyMap<string, readonly string[]>;
  readonly healthcheck: readonly string[];
  /** The ports that this machine publishes, each with the service's own. */
  readonly published: ReadonlyMap<string, string>;
}

/** The content of a file of compose, without its variables filled in. */
export function composeDocument(file: string): Record<string, unknown> {
  return parse(readFileSync(file, 'utf8'), { merge: true }) as Record<string, unknown>;
}

/** Reads a file of compose with the variables of the `.env` in its folder. */
export function readCompose(folder: string): readonly ComposeService[] {
  const document = composeDocument(join(folder, 'compose.yaml'));
  const { services, secrets } = File.parse(filled(document, variablesIn(join(folder, '.env'))));
  return Object.entries(services).map(([name, service]) => ({
    ...service,
    name,
    user: service.user,
    entrypoint: service.entrypoint,
    healthcheck: service.healthcheck.test.slice(1),
    networks: namesOn(service.networks),
    mounts: [
      ...service.volumes.map((volume) => mountOf(folder, volume)),
      ...service.secrets.map((secret): Mount => {
        const { source, target } = typeof secret === 'string' ? { source: secret, target: secret } : secret;
        const { file } = secrets[source] ?? missing(`the secret ${source} of ${name}`);
        return { from: resolve(folder, file), to: resolve('/run/secrets', target), kind: 'secret' };
      }),
    ],
    published: new Map(service.ports.map((port) => pairOf(port))),
  }));
}

/** The variables of a file of lines such as `NAME=value` or `NAME='value'`. */
export function variablesIn(file: string): Readonly<Record<string, string>> {
  const lines = readFileSync(file, 'utf8').matchAll(/^(\w+)='?([^'\n]*)'?$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}

function namesOn(networks: z.infer<typeof Service>['networks']): ComposeService['networks'] {
  if (Array.isArray(networks)) return new Map(networks.map((network) => [network, []]));
  return new Map(Object.entries(networks).map(([network, { aliases }]) => [network, aliases]));
}

function mountOf(folder: string, volume: string): Mount {
  const [from = '', to = ''] = volume.split(':');
  const isBind = from.startsWith('.') || isAbsolute(from);
  return { from: isBind ? resolve(folder, from) : from, to, kind: isBind ? 'bind' : 'volume' };
}

function pairOf(port: string): readonly [string, string] {
  const [outside = '', inside = ''] = port.split(':');
  return [outside, inside];
}

/** The same with each `${NAME:?what to do}` replaced, as compose does, and `$$` for a single `$`. */
function filled(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\$|\$\{(\w+)(?::\?([^}]*))?\}/g, (found, name?: string) =>
      name === undefined ? found.slice(1) : (variables[name] ?? missing(`the variable ${name}`)),
    );
  if (Array.isArray(value)) return value.map((one) => filled(one, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, variables)]));
}

function missing(what: string): never {
  throw new Error(`compose.yaml needs ${what}`);
}
