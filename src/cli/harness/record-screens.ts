import type { CliIo } from '#cli/client/io.ts';
import type { Recording } from '#cli/client/recording.ts';
import { counted } from '#cli/print/counted.ts';
import { Failure } from '#contract/failure.ts';
import type { ScreenLabel } from '#contract/pane/recorded-screen.ts';
import { screenText } from './screen-text.ts';

/**
 * Records what the CLI shows now as a label, and says at which sizes.
 * @throws INVALID_ARGUMENT when the CLI shows nothing, or has ended although the label says otherwise
 */
export async function recordScreens(io: CliIo, recording: Recording, label: ScreenLabel): Promise<void> {
  const { dead, rows } = await recording.capture();
  if (dead && label !== 'exited')
    throw new Failure('INVALID_USAGE', 'the CLI has ended: record exited, or quit and add it again with --resume');
  if (!dead && label === 'exited')
    throw new Failure('INVALID_USAGE', 'the CLI still runs: end it first, then record exited');
  if (!dead && screenText(rows) === '')
    throw new Failure('INVALID_USAGE', 'the CLI shows nothing now: wait until it does, with still, or press a key');
  const screens = await recording.record(label);
  const sizes = [...new Set(screens.map(({ capture }) => `${capture.width}x${capture.height}`))];
  io.stderr.write(`${label}: ${counted(screens.length, 'screen')} recorded, at ${sizes.join(' and ')}\n`);
  if (dead || sizes.length !== 1) return;
  io.stderr.write(
    label === 'working'
      ? 'the work ended before it could be recorded at another size: record longer work too\n'
      : 'the CLI showed nothing at another size, so that only this one is recorded\n',
  );
}
