import { expect } from 'chai';
import { askDefaultAgent, greeting } from '#service/greeting/greeting.ts';

describe('the greeting of muster start', () => {
  const of = (harness: string | undefined, embedded?: string, installed: readonly string[] = []) => {
    const runs = harness === undefined ? undefined : { harness, installed };
    return greeting({ url: 'http://127.0.0.1:7433', muster: 'bin/muster', runs, embedded });
  };

  it('suggests an agent that the first workflow can run, and names it', () => {
    expect(of('shell'))
      .to.include('bin/muster new "echo hello"')
      .and.to.match(/^Agents .* run shell, which is bash/m);
    expect(of('claude'))
      .to.include('bin/muster new "say hello"')
      .and.to.match(/^Agents of .* run claude\.$/m);
    expect(of(undefined)).to.include('bin/muster new "say hello"').and.not.to.include('Agents of');
    expect(of('shell')).to.match(/^muster is ready at http:\/\/127\.0\.0\.1:7433\n/);
    expect(of('shell')).to.include('bin/muster open ');
  });

  it('explains that agents keep running or, with embedded panes, end, and then offers no attach', () => {
    expect(of('shell')).to.include('the agents keep running').and.to.include('attach NAME');
    expect(of('shell', 'Panes are embedded.'))
      .to.match(/^Panes are embedded\.$/m)
      .and.to.include('Ctrl-C stops muster and the agents; bin/muster restore NAME')
      .and.to.include('bin/muster read NAME')
      .and.not.to.match(/live on|attach NAME/);
  });

  it('offers CLIs that were installed after the first start, unless one is in use', () => {
    expect(of('shell', undefined, ['claude', 'codex']))
      .to.include('Installed since: claude, codex.')
      .and.to.include('bin/muster workflow edit default --harness claude');
    expect(of('claude', undefined, ['claude', 'codex'])).not.to.include('Installed since');
    expect(of('shell')).not.to.include('Installed since');
  });

  it('says that new workflows run in a sandbox, if that is their default, and whether the first one does', () => {
    const isolated = (own: boolean, byDefault = true) => {
      const runs = { harness: 'claude', installed: [], isolation: { byDefault, own } };
      return greeting({ url: 'http://127.0.0.1:7433', muster: 'bin/muster', runs, embedded: undefined });
    };
    expect(isolated(true))
      .to.match(/^Agents of new workflows run in a sandbox: /m)
      .and.to.include('bin/muster workflow edit default --isolation none')
      .and.to.include('MUSTER_ISOLATION=none');
    expect(isolated(false)).to.match(/^Agents .* run without: bin\/muster doctor /m);
    expect(isolated(true, false)).not.to.include('sandbox');
  });

  it('omits the name if the service does not report it', async () => {
    expect(await askDefaultAgent('/nonexistent', 'http://127.0.0.1:1')).to.equal(undefined);
  });
});
