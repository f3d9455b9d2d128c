import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mixture, Seeding } from './seed.ts';

/** The checkout that this bench is in. */
export const thisCheckout = fileURLToPath(new URL('../..', import.meta.url));

/** What a bench uses of a checkout's own modules, as far as earlier ones have it alike. */
export interface CheckoutModules {
  readConfig(environment: NodeJS.ProcessEnv): { readonly logLevel: string };
  startInstallation(options: {
    readonly config: unknown;
    readonly environment: NodeJS.ProcessEnv;
    readonly log: unknown;
    /** What earlier checkouts ask for. */
    readonly onGaveUp: (why: Error) => never;
    readonly programOf: (member: string) => readonly string[];
  }): Promise<{ readonly url: string; stop(): Promise<void> }>;
  /** What a checkout passes to Node for its members; earlier ones nothing. */
  nodeArgumentsOf?(member: string): readonly string[];
  openLog(options: { readonly name: string; readonly level: string }): unknown;
  /** Earlier checkouts know one host and one engine. */
  seed(home: string, mixture: Mixture, seeding: Seeding): Promise<string[]>;
}

/** Loads the modules of a checkout, each at the first of its places that is there. */
export async function modulesOf(checkout: string): Promise<CheckoutModules> {
  const { readConfig }: Pick<CheckoutModules, 'readConfig'> = await load(checkout, 'src/service/config.ts');
  const { startInstallation, nodeArgumentsOf }: Pick<CheckoutModules, 'startInstallation' | 'nodeArgumentsOf'> =
    await load(checkout, 'src/service/start.ts');
  const { openLog }: Pick<CheckoutModules, 'openLog'> = await load(checkout, 'src/world/log.ts');
  const { seed }: Pick<CheckoutModules, 'seed'> = await load(checkout, 'bench/stage/seed.ts', 'bench/seed.ts');
  return { readConfig, startInstallation, ...(nodeArgumentsOf && { nodeArgumentsOf }), openLog, seed };
}

/** Loads a module of a checkout. */
export async function load<Module>(checkout: string, ...places: readonly string[]): Promise<Module> {
  const place = places.find((one) => existsSync(join(checkout, one)));
  if (place === undefined) throw new Error(`${checkout} has no ${places.join(' or ')}`);
  return import(join(checkout, place));
}
