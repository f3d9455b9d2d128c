import type { z } from 'zod';
import { enumeration } from '#contract/message.ts';

/** What happens to agents whose windows a restart of their computer has ended. */
export const OnBoot = enumeration('workflow.v1.OnBoot', {
  ON_BOOT_UNSPECIFIED: 'Not given: the same as ON_BOOT_STAY.',
  ON_BOOT_STAY: 'Nothing: a person restores them.',
  ON_BOOT_RESTORE: 'They are restored in their conversations, a few of each host at a time.',
});
export type OnBoot = z.infer<typeof OnBoot>;
