import { expect } from 'chai';
import { reportingOf } from '#actors/host/reporting.ts';
import type { Harness } from '#machines/harness/definition.ts';
import { builtIn } from '#machines/harness/table.ts';

const environment = { PATH: process.env['PATH'] ?? '' };
const of = (name: string) => builtIn.find(name) as Harness;

describe('what is added to a launch', () => {
  it('takes the place of nothing that the person has set', async () => {
    const set = { ...environment, OPENCODE_CONFIG_CONTENT: '{"theme":"mine"}' };
    expect((await reportingOf(of('opencode'), '/bin/true', set)).env).to.deep.equal({});
    expect((await reportingOf(of('opencode'), '/bin/true', environment)).env).to.have.keys('OPENCODE_CONFIG_CONTENT');
  });

  it('is nothing for a Codex that would ask the person about it', async () => {
    expect((await reportingOf(of('codex'), '/bin/false', environment)).args).to.deep.equal([]);
  });
});
