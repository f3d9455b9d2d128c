import { Decrypter, Encrypter, Stanza } from 'age-encryption';
import { expect } from 'chai';
import { PassphraseIdentity, PassphraseRecipient } from '#service/backup/passphrase-key.ts';
import { failureOf } from '#test/support/failure.ts';

/** So cheap that a test can afford it. */
const factor = 10;

describe('the key of an encrypted backup', () => {
  const text = new TextEncoder().encode('ü 😀');

  it('is compatible with age', async () => {
    const encrypter = new Encrypter();
    encrypter.addRecipient(new PassphraseRecipient('correct horse', factor));
    const decrypter = new Decrypter();
    decrypter.addPassphrase('correct horse');
    expect(await decrypter.decrypt(await encrypter.encrypt(text))).to.deep.equal(text);
  });

  it('is read from age’s files, by its passphrase only', async () => {
    const encrypter = new Encrypter();
    encrypter.setPassphrase('correct horse');
    encrypter.setScryptWorkFactor(factor);
    const file = await encrypter.encrypt(text);
    const read = (passphrase: string) => {
      const decrypter = new Decrypter();
      decrypter.addIdentity(new PassphraseIdentity(passphrase));
      return decrypter.decrypt(file);
    };
    expect(await read('correct horse')).to.deep.equal(text);
    const refused = await failureOf(() => read('wrong horse')).catch((error: unknown) => error);
    expect(String(refused)).to.match(/no identity matched/);
  });

  it('is refused in a damaged header, one with too much work, or one for other recipients', async () => {
    const [stanza] = await new PassphraseRecipient('correct horse', factor).wrapFileKey(new Uint8Array(16));
    if (stanza === undefined) throw new Error('no stanza was written');
    const { args, body } = stanza;
    const [, salt = ''] = args;
    const identity = new PassphraseIdentity('correct horse');
    const why = async (...stanzas: Stanza[]): Promise<unknown> =>
      identity.unwrapFileKey(stanzas).catch((error: unknown) => String(error));
    expect(await why(stanza)).to.deep.equal(Buffer.alloc(16));
    expect(await why(new Stanza(['scrypt', salt, '21'], body))).to.match(/takes too long/);
    for (const wrong of [
      ['scrypt', 'AAAA', '10'],
      ['scrypt', salt, '1e1'],
      ['scrypt', salt],
    ])
      expect(await why(new Stanza(wrong, body)), wrong.join(' ')).to.match(/damaged/);
    expect(await why(new Stanza([...args], body.subarray(1)))).to.match(/damaged/);
    expect(await why(new Stanza(['X25519', salt], body))).to.equal(null);
    expect(await why(stanza, stanza)).to.equal(null);
    expect(await why()).to.equal(null);
  });
});
