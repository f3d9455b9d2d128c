import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { probeGateway } from './gateway-ready.ts';
import { probeRegistry } from './registry-ping.ts';

/** The available probes. Each throws a Failure that describes the problem. */
const probes: Readonly<Record<string, (config: Config) => Promise<void>>> = {
  registry: probeRegistry,
  gateway: probeGateway,
};

const usage = `Usage: muster probe ${Object.keys(probes).join('|')}`;

/**
 * `muster probe registry|gateway`: checks the process of these settings on this machine, for the health checks of
 * containers and the like. Returns the exit status: 0 without output, or 1 with what is wrong.
 * @throws INVALID_USAGE when none or an unknown process is named
 */
export async function runProbe(args: readonly string[], config: Config): Promise<number> {
  const [name = '', ...more] = args;
  const probe = Object.hasOwn(probes, name) && more.length === 0 ? probes[name] : undefined;
  if (probe === undefined) throw new Failure('INVALID_USAGE', usage);
  try {
    await probe(config);
    return 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}
