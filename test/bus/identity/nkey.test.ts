import { createAccount, createOperator, createUser, decode, encodeUser, fromPublic, fromSeed } from '@nats-io/jwt';
import { jwtAuthenticator } from '@nats-io/nats-core';
import { expect } from 'chai';
import { authenticatorOf } from '#bus/identity/authenticator.ts';
import { readClaims } from '#bus/identity/claims.ts';
import { isSignedBy, keyPairOf, seedOf, signText } from '#bus/identity/nkey.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a key of NATS', () => {
  it('signs as the library’s key does', () => {
    for (const make of [createOperator, createAccount, createUser]) {
      const theirs = make();
      const own = keyPairOf(seedOf(theirs));
      expect(own.getPublicKey()).to.equal(theirs.getPublicKey());
      expect(Buffer.from(own.getPrivateKey())).to.deep.equal(Buffer.from(theirs.getPrivateKey()));
      expect(Buffer.from(own.sign(bytes('ü')))).to.deep.equal(Buffer.from(theirs.sign(bytes('ü'))));
      expect(fromPublic(own.getPublicKey()).verify(bytes('ü'), own.sign(bytes('ü')))).to.equal(true);
    }
  });

  it('verifies only its own signatures of the same text', () => {
    const [own, other] = [createUser(), createUser()];
    const signed = signText(seedOf(own), 'text');
    expect(isSignedBy(own.getPublicKey(), 'text', signed)).to.equal(true);
    expect(isSignedBy(own.getPublicKey(), 'text.', signed)).to.equal(false);
    expect(isSignedBy(other.getPublicKey(), 'text', signed)).to.equal(false);
    for (const nothing of ['', 'AAAA', seedOf(own)]) expect(isSignedBy(nothing, 'text', signed)).to.equal(false);
    expect(isSignedBy(own.getPublicKey(), 'text', '')).to.equal(false);
    expect(keyPairOf(seedOf(own)).verify(bytes('text'), own.sign(bytes('text')))).to.equal(true);
    expect(keyPairOf(seedOf(own)).verify(bytes('text'), other.sign(bytes('text')))).to.equal(false);
    for (const none of ['', 'SU', own.getPublicKey()]) expect(() => keyPairOf(none)).to.throw();
  });

  it('accepts claims that their issuer signed, as the library does, and no others', async () => {
    const [account, user] = [createAccount(), createUser()];
    const jwt = await encodeUser('gateway', user, keyPairOf(seedOf(account)), {}, { exp: 4_000_000_000 });
    expect(readClaims(jwt)).to.deep.equal(decode(jwt));
    expect(decode(jwt)).to.include({ iss: account.getPublicKey(), sub: user.getPublicKey(), name: 'gateway' });
    const [header = '', body = '', signature = ''] = jwt.split('.');
    const changed = Buffer.from(JSON.stringify({ ...readClaims(jwt), name: 'registry' })).toString('base64url');
    const alone = Buffer.from('{"typ":"JWT","alg":"none"}').toString('base64url');
    const wrong = ['', 'x', `${header}.${changed}.${signature}`, `${alone}.${body}.`, `${jwt}.`, `${header}.${body}`];
    for (const one of wrong) expect(() => readClaims(one), one).to.throw();
  });

  it('answers a server’s challenge as the library does', () => {
    const seed = createUser().getSeed();
    const credential = { jwt: () => 'claims', seed: seedOf(fromSeed(seed)) };
    expect(authenticatorOf(credential)('challenge')).to.deep.equal(jwtAuthenticator('claims', seed)('challenge'));
  });
});
