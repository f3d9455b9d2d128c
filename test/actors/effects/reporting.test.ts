import { expect } from 'chai';
import { reportingOf } from '#actors/host/effects/reporting.ts';
import { paneObserver } from '#actors/host/reading/observation.ts';
import type { Harness } from '#machines/harness/definition.ts';
import { noAddition } from '#machines/harness/launch-addition.ts';
import { readHarnessFile } from '#machines/harness/read-file.ts';
import { builtIn } from '#machines/harness/table.ts';
import { captureOf } from '#test/pane/screen-corpus.ts';
import type { Terminal } from '#world/terminal/terminal.ts';

const environment = { PATH: process.env['PATH'] ?? '' };
const of = (name: string) => builtIn.find(name) as Harness;

describe('the additions for self-reports', () => {
  it('replace none of the person’s settings', async () => {
    const set = { ...environment, OPENCODE_CONFIG_CONTENT: '{"theme":"mine"}' };
    expect((await reportingOf(of('opencode'), '/bin/true', set)).env).to.deep.equal({});
    expect((await reportingOf(of('opencode'), '/bin/true', environment)).env).to.have.keys('OPENCODE_CONFIG_CONTENT');
  });

  it('are empty if a person’s file opts out', () => {
    const file = '{"launch": {"reports": {"through": "nothing"}}}';
    const read = readHarnessFile('claude', file, builtIn, () => false);
    expect(read).to.have.nested.property('harness.reports.through', 'nothing');
  });

  it('are empty for Gemini, which reports in the window’s title', async () => {
    expect(await reportingOf(of('gemini'), '/bin/true', environment)).to.deep.equal(noAddition);
    const titled = (title: string): Pick<Terminal, 'capture'> => ({
      capture: async () => captureOf(['> '], { size: '80x24', cursor: '0,0', title }),
    });
    const said = async (title: string, harness: string) =>
      (await paneObserver(builtIn)(titled(title) as Terminal, '%1', { harness }))?.said;
    expect(await said('✋  Action Required (project)', 'gemini')).to.equal('action required');
    expect(await said('gemini', 'gemini')).to.equal(undefined);
    expect(await said('✋  Action Required (project)', 'claude')).to.equal(undefined);
  });

  it('are empty for a Codex that would ask the person to confirm them', async () => {
    expect((await reportingOf(of('codex'), '/bin/false', environment)).args).to.deep.equal([]);
  });
});
