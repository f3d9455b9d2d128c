import { expect } from 'chai';
import { KnownSecrets } from '#actors/host/secret/known-secrets.ts';
import { Redactor } from '#actors/host/secret/redactor.ts';

describe('the redactor', () => {
  const secret = 'hunter2/of nobody"s';
  const known = new KnownSecrets();
  known.add('agt_a', [secret, 'first-line-of-two\nsecond-line-of-two', 'abc']);
  const redactor = new Redactor(known);
  const masked = (text: string) => text.replace(/\S/g, '*');

  it('masks known secrets, and keeps their length and the text around them', () => {
    expect(redactor.text(`a ${secret} b`)).to.equal(`a ${masked(secret)} b`);
    expect(redactor.text('abc is too short to be one')).to.equal('abc is too short to be one');
  });

  const forms = {
    'in a URL': encodeURIComponent(secret),
    'in JSON': JSON.stringify(secret),
    'in Base64': Buffer.from(secret).toString('base64'),
    'in Base64 behind one other character': Buffer.from(`:${secret}:`).toString('base64'),
    'in Base64 behind two': Buffer.from(`u:${secret}`).toString('base64url'),
    'in Base64 behind a name': Buffer.from(`ada:${secret}\n`).toString('base64'),
    'as one line of several': 'second-line-of-two',
  };
  for (const [what, text] of Object.entries(forms)) {
    it(`masks a secret ${what}`, () => {
      const shown = redactor.text(`x ${text} y`);
      expect(shown).to.have.length(text.length + 4);
      expect(shown.split('*').length).to.be.greaterThan(10);
      expect(shown).to.not.include('nobody').and.not.to.include('second');
    });
  }

  it('masks a secret that changes colour within, and keeps the colours', () => {
    const [red, none] = ['\u001b[31m', '\u001b[0m'];
    const coloured = `${secret.slice(0, 5)}${red}${secret.slice(5)}${none}`;
    const half = masked(secret);
    expect(redactor.text(coloured)).to.equal(`${half.slice(0, 5)}${red}${half.slice(5)}${none}`);
  });

  it('masks a secret that continues in the next row, also within a frame', () => {
    const long = `token-${'x'.repeat(60)}`;
    known.add('agt_b', [long]);
    expect(redactor.rows([long.slice(0, 40), long.slice(40), 'next'])).to.deep.equal([
      '*'.repeat(40),
      '*'.repeat(26),
      'next',
    ]);
    expect(redactor.rows([`│ ${long.slice(0, 30)} │`, `│ ${long.slice(30)}  │`])).to.deep.equal([
      `│ ${'*'.repeat(30)} │`,
      `│ ${'*'.repeat(36)}  │`,
    ]);
    known.forget('agt_b');
    expect(redactor.text(long)).to.equal(long);
  });

  const formats = {
    'a token of muster': `mst_${'A1b2C'.repeat(8)}xyz`,
    'an invitation': `JOIN-${'A1b2C'.repeat(8)}xyz`,
    'a GitHub token': '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',
    'an Anthropic key': `sk-ant-api03-${'a1B2c'.repeat(18)}xyzAA`,
    'a private key': `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA\n'.repeat(20)}-----END RSA PRIVATE KEY-----`,
  };
  for (const [what, text] of Object.entries(formats)) {
    it(`masks ${what} that was never registered`, () => {
      const shown = redactor.text(`before ${text} after`);
      expect(shown).to.match(/^before .*\*.* after$/s);
      expect(shown).to.not.include(text.slice(-20));
    });
  }

  it('leaves all other text unchanged', () => {
    const plain = 'commit 9fceb02d0ae598e95dc970b74767f19372d61af8\n│ src/a.ts │ +12 −3\n\u001b[1mDone\u001b[0m';
    expect(redactor.text(plain)).to.equal(plain);
  });

  it('masks a secret that a script writes in pieces', () => {
    let passed = '';
    const { write, end } = redactor.stream((text) => {
      passed += text;
    });
    for (const piece of ['a ', secret.slice(0, 4), secret.slice(4), ' b\n', 'last']) write(piece);
    end();
    expect(passed).to.equal(`a ${masked(secret)} b\nlast`);
  });
});
