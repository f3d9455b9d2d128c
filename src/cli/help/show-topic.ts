import type { CliIo } from '#cli/client/io.ts';
import { openPager } from '#cli/print/pager.ts';
import { listOfTopics, textOf, topics } from './topics.ts';

/**
 * Shows what `muster help TOPIC` names, and resolves to whether it names a topic. `muster help topics` lists them.
 * @throws PROGRAM_NOT_STARTED when PAGER cannot be run
 */
export async function showTopic([first, name, ...more]: readonly string[], io: CliIo): Promise<boolean> {
  if (first !== 'help' || more.length > 0) return false;
  if (name === 'topics') {
    io.stdout.write(`Topics, each shown by muster help TOPIC:\n\n${listOfTopics()}`);
    return true;
  }
  const topic = topics.find((one) => one.name === name);
  if (topic === undefined) return false;
  const pager = openPager(io);
  await pager.write(textOf(topic));
  await pager.close();
  return true;
}
