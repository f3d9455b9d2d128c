import type { z } from 'zod';
import type { HarnessCatalogue } from '#actors/host/reading/harness-catalogue.ts';
import type { Check } from '#contract/host/check.ts';
import type { hostCalls } from '#contract/wire/registry.ts';

/** Maximum size of the launches in one answer, in characters. */
const maxReported = 256 * 1024;

export interface LaunchRequestsOptions {
  readonly rules: Pick<HarnessCatalogue, 'files' | 'reload'>;
  /** Fetches the confirmations from the registry. */
  readonly refresh: () => Promise<void>;
}

type Answer = z.input<typeof hostCalls.launches.response>;

/** Reports the launches that this host's rule files define. */
export class LaunchRequests {
  readonly #options: LaunchRequestsOptions;

  constructor(options: LaunchRequestsOptions) {
    this.#options = options;
  }

  /** The current launches of one harness, or of as many as one answer holds, and whether each is confirmed. */
  async list(harness: string | undefined): Promise<Answer> {
    const { rules, refresh } = this.#options;
    await rules.reload();
    await refresh();
    let room = maxReported;
    const launches = rules.files.flatMap((file) => {
      if (file.launch === undefined || (harness !== undefined && file.harness !== harness)) return [];
      const { text: launch, digest, isConfirmed: confirmed } = file.launch;
      room -= launch.length + file.path.length;
      return room < 0 ? [] : [{ harness: file.harness, path: file.path, launch, digest, confirmed }];
    });
    return { launches };
  }

  /** A warning for each file whose launch is not confirmed. */
  checks(): Check[] {
    return this.#options.rules.files.flatMap(({ harness, path, launch }): Check[] => {
      if (launch === undefined || launch.isConfirmed) return [];
      const found = `no person has confirmed what ${path} launches (digest ${launch.digest}): it has no effect`;
      const mend = `check it and run \`muster harness confirm ${harness}\`, or remove the file`;
      return [{ name: `launch ${harness}`, outcome: 'warn', found, mend }];
    });
  }
}
