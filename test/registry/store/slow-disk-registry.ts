import { once } from 'node:events';
import { registryFixture } from '../registry-fixture.ts';

// A registry with a host, in its own process whose syncs its parent holds up. It does what its parent says, a line
// each, and says what was answered.

const say = (line: string) => process.stdout.write(`${line}\n`);
const fixture = await registryFixture();
const agent = await fixture.create();
const deeds: Readonly<Record<string, () => Promise<unknown>>> = {
  write: () => fixture.call('RenameAgent', { agentId: agent.id, name: 'two' }),
  list: () => fixture.call('ListAgents'),
  beat: () => fixture.host.beat(),
};
process.stdin.setEncoding('utf8').on('data', (lines: string) => {
  for (const deed of lines.trim().split('\n')) {
    deeds[deed]?.().then(
      () => say(`${deed}: done`),
      (error) => say(`${deed}: ${error}`),
    );
  }
});
say('ready');
await once(process.stdin, 'end');
await fixture.close();
