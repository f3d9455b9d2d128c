import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mixture, Seeding } from './seed.ts';

/** The checkout of this bench. */
export const thisCheckout = fileURLToPath(new URL('../..', import.meta.url));

/** The parts of a checkout that benches use. Earlier checkouts have the same ones, with the exceptions noted. */
export interface CheckoutModules {
  readConfig(environment: NodeJS.ProcessEnv): { readonly logLevel: string };
  startInstallation(options: {
    readonly config: unknown;
    readonly environment: NodeJS.ProcessEnv;
    readonly log: unknown;
    /** Required by earlier checkouts. */
    readonly onGaveUp: (why: Error) => never;
    readonly programOf: (member: string) => readonly string[];
  }): Promise<{ readonly url: string; stop(): Promise<void> }>;
  /** Arguments for Node. Missing in earlier checkouts. */
  nodeArgumentsOf?(member: string): readonly string[];
  openLog(options: { readonly name: string; readonly level: string }): unknown;
  /** Earlier checkouts support only one host and SQLite. */
  seed(home: string, mixture: Mixture, seeding: Seeding): Promise<string[]>;
}

/** Loads the modules of a checkout. */
export async function modulesOf(checkout: string): Promise<CheckoutModules> {
  const { readConfig }: Pick<CheckoutModules, 'readConfig'> = await load(checkout, 'src/service/config.ts');
  const { startInstallation, nodeArgumentsOf }: Pick<CheckoutModules, 'startInstallation' | 'nodeArgumentsOf'> =
    await load(checkout, 'src/service/start.ts');
  const { openLog }: Pick<CheckoutModules, 'openLog'> = await load(checkout, 'src/world/log.ts');
  const { seed }: Pick<CheckoutModules, 'seed'> = await load(checkout, 'bench/stage/seed.ts', 'bench/seed.ts');
  return { readConfig, startInstallation, ...(nodeArgumentsOf && { nodeArgumentsOf }), openLog, seed };
}

/** Loads a module of a checkout from the first of these paths that exists. @throws Error when none does */
export async function load<Module>(checkout: string, ...places: readonly string[]): Promise<Module> {
  const place = places.find((path) => existsSync(join(checkout, path)));
  if (place === undefined) throw new Error(`${checkout} has no ${places.join(' or ')}`);
  return import(join(checkout, place));
}
