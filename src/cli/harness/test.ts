import type { Session } from '#cli/client/session.ts';
import { type OutputFlags, writeList } from '#cli/print/output.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';
import { assuranceText } from './assurance.ts';

/**
 * Reads the recorded screens of one harness, or of all, by the current rules.
 * @throws NOT_FOUND when the named harness has none
 */
export async function test(session: Session, name: string | undefined, flags: OutputFlags): Promise<void> {
  const all = (await session.local()).testHarnesses();
  const tested = name === undefined ? all : all.filter((one) => one.name === name);
  if (name !== undefined && tested.length === 0) {
    throw new Failure(
      'HARNESS_NOT_FOUND',
      `no screens of ${JSON.stringify(name)} are recorded: muster harness add records them`,
    );
  }
  if (tested.some(({ labels }) => labels.some(({ wrong }) => wrong > 0))) session.exitWith(1);
  writeList(session.io, flags, tested, () => {
    const parts = tested.map((one) => `${printable(one.name)} (${printable(one.folder)})\n${assuranceText(one)}`);
    return parts.join('\n') || 'There are no recorded screens\n';
  });
}
