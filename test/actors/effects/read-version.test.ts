import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openWindow } from '#actors/host/effects/open-window.ts';
import { readVersion } from '#actors/host/effects/read-version.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { agentDefinition, viewOf } from '#machines/agent/agent-view.ts';
import { begin, type Decision, decide } from '#machines/decide.ts';
import { builtIn } from '#machines/harness/table.ts';
import { performanceOf } from '#test/actors/performance-of.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { windowOptions } from './window-options.ts';

describe('the version of a CLI', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('read-version');
    const waits = `until [ -e ${folder.path}/go ]; do sleep 0.05; done; echo 2.2.0`;
    mkdirSync(join(folder.path, 'bin'));
    mkdirSync(join(folder.path, 'project'));
    writeFileSync(join(folder.path, 'bin/claude'), `#!/bin/sh\n${waits}\n`, { mode: 0o755 });
  });
  afterEach(() => folder.remove());

  const tell = (record: AgentRecord, event: AgentEvent): Decision => {
    const decision = decide(agentDefinition, record.snapshot, event);
    if (decision === undefined) throw new Error(`${event.type} is not accepted`);
    return decision;
  };

  it('is read during the launch without delaying it, and is known to the next launch', async () => {
    const id = 'agt_01JD6Z8Q4V5N7W2K3M9R0TXYAB';
    const launch = {
      harness: 'claude',
      flags: '',
      copyFiles: [],
      sessionId: 's',
      cwd: join(folder.path, 'project'),
    };
    const { snapshot } = begin(agentDefinition, { name: 'a', provision: false, scripts: [] });
    const record = { id, family: id, epoch: 1, launch, snapshot } as unknown as AgentRecord;
    const options = windowOptions(folder.path, builtIn, async () => ({ paneId: '%1' }));
    const effect = { key: 'k', kind: 'k', params: {} };
    const open = async (): Promise<AgentEvent> => {
      const event = await openWindow(options).perform(performanceOf(record, effect));
      if (event?.type !== 'WINDOW_OPENED') throw new Error('no window was opened');
      return event;
    };
    const opened = await open();
    expect(opened).to.include({ paneId: '%1', versionPending: true });
    const launched = tell(record, opened);
    expect(launched.effects.map(({ kind }) => kind)).to.deep.equal(['readVersion', 'deliverBriefing']);
    const live = { ...record, snapshot: launched.snapshot };
    const reading = readVersion(options).perform(performanceOf(live, effect));
    writeFileSync(join(folder.path, 'go'), '');
    const read = await reading;
    expect(read).to.deep.equal({ type: 'VERSION_READ', paneId: '%1', harnessVersion: '2.2.0' });
    expect(viewOf(tell(live, read as AgentEvent).snapshot).harnessVersion).to.equal('2.2.0');
    expect(await open())
      .to.include({ harnessVersion: '2.2.0' })
      .and.not.to.have.property('versionPending');
  });

  it('is not taken from another window', () => {
    const { snapshot } = begin(agentDefinition, { name: 'a', provision: false, scripts: [] });
    const record = { snapshot } as AgentRecord;
    const open = { snapshot: tell(record, { type: 'WINDOW_OPENED', paneId: '%2' }).snapshot } as AgentRecord;
    const late = { type: 'VERSION_READ', paneId: '%1', harnessVersion: '2.2.0' } as const;
    expect(decide(agentDefinition, open.snapshot, late)).to.equal(undefined);
  });
});
