import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import { type FailureReason, failureReasons, reasonGroups } from '#contract/reason/failure-reasons.ts';
import type { ReasonMeaning } from '#contract/reason/reason-meaning.ts';
import { failureOf } from '#test/support/failure.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const reasons = Object.entries<ReasonMeaning>(failureReasons);

/** The whole product's code, without the list itself. */
function productCode(): string {
  const files = ['src', 'actors', 'bus', 'machines'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  const own = files.filter((path) => /\.tsx?$/.test(path) && !path.startsWith(join('src', 'contract', 'reason')));
  return own.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
}

describe('the reasons of refusals', () => {
  it('are all used', () => {
    const code = productCode();
    // `UNKNOWN` means that none arrived.
    const unused = reasons.map(([reason]) => reason).filter((reason) => !code.includes(`'${reason}'`));
    expect(unused).to.deep.equal([]);
  });

  it('belong to one group each, and are explained in a sentence', () => {
    expect(Object.values(reasonGroups).flatMap((group) => Object.keys(group))).to.deep.equal(
      reasons.map(([name]) => name),
    );
    for (const [reason, { meaning, metadata = {} }] of reasons) {
      expect(reason).to.match(/^[A-Z][A-Z0-9_]{0,62}$/);
      expect(meaning, reason).to.match(/^[A-Za-z`].{15,}\.$/);
      for (const [key, text] of Object.entries(metadata)) {
        expect(key, reason).to.match(/^[a-zA-Z]{1,64}$/);
        expect(text, reason).to.match(/\.$/);
      }
    }
  });

  it('are typed in every refusal, with their documented metadata', () => {
    // @ts-expect-error No such reason.
    expect(() => new Failure('NO_REASON', '')).to.throw();
    // @ts-expect-error This one documents a key.
    expect(new Failure('AGENT_NOT_FOUND', '').metadata).to.deep.equal({});
    // @ts-expect-error And not that one.
    expect(new Failure('AGENT_NOT_FOUND', '', { metadata: { other: '' } }).metadata).to.deep.equal({ other: '' });
    expect(new Failure('AGENT_NOT_FOUND', '', { metadata: { agentId: 'agt_1' } }).code).to.equal('not_found');
  });
});

describe('a refusal', () => {
  it('survives a round trip with any content', () => {
    const texts = fc.string({ unit: 'grapheme' });
    const reason = fc.constantFrom(...(Object.keys(failureReasons) as FailureReason[]));
    const violations = fc.array(fc.record({ field: texts, description: texts }));
    const metadata = fc.dictionary(
      texts.filter((key) => key !== '__proto__'),
      texts,
    );
    fc.assert(
      fc.property(reason, texts, violations, metadata, (name, message, at, more) => {
        const sent = Object.assign(new Failure(name as 'INTERNAL', message, { violations: at }), { metadata: more });
        const sole = at.length === 1 ? at.map(({ field }) => ({ field, description: message })) : at;
        const { code } = failureReasons[name];
        expect(Failure.fromJSON(JSON.parse(JSON.stringify(sent)))).to.deep.include({
          ...{ code, reason: name, message, violations: sole, metadata: more },
        });
      }),
    );
  });

  it('is read as far as possible from another version', () => {
    const odd = Failure.fromJSON({
      code: 'new',
      message: 7,
      reason: 'NEWER',
      metadata: { a: 1, b: 'c' },
      violations: [3],
    });
    expect(odd.toJSON()).to.deep.equal({
      code: 'unknown',
      message: 'no reason was given',
      reason: 'NEWER',
      metadata: { b: 'c' },
    });
    expect(Failure.fromJSON({ code: 'aborted', message: 'no' }).reason).to.equal('UNKNOWN');
  });

  it('keeps its reason, field and metadata in other words', () => {
    const refusal = new Failure('AGENT_NOT_FOUND', 'no', { field: 'agentId', metadata: { agentId: 'x' } });
    const { code, reason, field, metadata, message } = refusal.saying('not here');
    expect({ code, reason, field, metadata, message }).to.deep.equal({
      code: 'not_found',
      reason: 'AGENT_NOT_FOUND',
      field: 'agentId',
      metadata: { agentId: 'x' },
      message: 'not here',
    });
  });

  it('of a request names every invalid field, its value and the remedy', async () => {
    const schema = z.object({ name: z.string(), inner: z.object({ list: z.array(z.int()) }) });
    const refusal = await failureOf(() => parseRequest(schema, { inner: { list: [1, 'two'] } }));
    expect(refusal.isFor('INVALID_FIELD')).to.equal(true);
    expect(refusal.violations.map(({ field }) => field)).to.deep.equal(['name', 'inner.list.1']);
    expect(refusal.violations[0]?.description).to.equal('name is missing: give it a value');
    expect(refusal.violations[1]?.description).to.contain('inner.list.1 has the wrong type').and.contain('"two"');
  });

  it('of a request lists as many fields as its headers allow', async () => {
    const refusal = await failureOf(() => parseRequest(z.array(z.int()), Array.from({ length: 90 }, String)));
    expect(refusal.violations).to.have.lengthOf(20);
    expect(refusal.message).to.contain('80 more are wrong');
  });
});
