import { expect } from 'chai';
import { defaultHarness, greeting } from '#service/greeting.ts';

describe('the greeting of muster start', () => {
  const of = (harness: string | undefined) => greeting({ url: 'http://127.0.0.1:7433', muster: 'bin/muster', harness });

  it('tries what the first workflow can run, and names it', () => {
    expect(of('shell'))
      .to.include('bin/muster new "echo hello"')
      .and.to.match(/^Agents .* run shell, which is bash/m);
    expect(of('claude'))
      .to.include('bin/muster new "say hello"')
      .and.to.match(/^Agents of .* run claude\.$/m);
    expect(of(undefined)).to.include('bin/muster new "say hello"').and.not.to.include('Agents of');
    expect(of('shell')).to.match(/^muster is ready at http:\/\/127\.0\.0\.1:7433\n/);
  });

  it('goes without the name where the service does not tell it', async () => {
    expect(await defaultHarness('/nonexistent', 'http://127.0.0.1:1')).to.equal(undefined);
  });
});
