import { expect } from 'chai';
import { declaredTypes } from '#contract/parse/declared-type.ts';
import { operations, resources } from '#contract/table.ts';

/** Words that say nothing on their own. */
const empty = /^(?:an?|the|its?|of|this|that|is|are|it|and|or|for|to|in|on|which|what|whose|value|field)$/;

/** The words of a name or a sentence, in the singular. */
function wordsOf(text: string): string[] {
  const apart = text.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
  return (apart.match(/[a-z0-9]+/g) ?? []).map((word) => word.replace(/(?<=..)s$/, ''));
}

/** Why a meaning is uninformative; undefined if it is informative. */
function faultOf(meaning: string, name: string, type: string): string | undefined {
  const known = new Set([...wordsOf(name), ...wordsOf(type.slice(type.lastIndexOf('.') + 1))]);
  const said = wordsOf(meaning).filter((word) => !empty.test(word));
  if (said.every((word) => known.has(word))) return 'says only its name again';
  if (!/^(?:\p{Lu}|`|(?:true|false|muster|cursor|nextPageToken)\b)/u.test(meaning)) return 'begins with a small letter';
  return meaning.endsWith('.') ? undefined : 'does not end as a sentence';
}

describe('the contract', () => {
  const types = declaredTypes(operations, resources);

  it('explains each field and each enumeration value', () => {
    const faults = [...types].flatMap(([type, { meanings }]) =>
      Object.entries(meanings).flatMap(([name, meaning]) => {
        const fault = faultOf(meaning, name, type);
        return fault === undefined ? [] : [`${type}.${name} ${fault}: ${meaning}`];
      }),
    );
    expect(faults).to.deep.equal([]);
    expect([...types.values()].flatMap(({ meanings }) => Object.keys(meanings)).length).to.be.above(700);
  });

  it('explains each operation and its use', () => {
    for (const { method, summary, guidance: forAll, peopleOnly } of operations) {
      const guidance = forAll || peopleOnly?.guidance;
      expect(faultOf(summary, method, ''), `${method}: ${summary}`).to.equal(undefined);
      expect(faultOf(`It ${guidance}`, method, ''), `${method}: ${guidance}`).to.equal(undefined);
    }
  });

  it('is really checked: an empty meaning, a name, or a fragment is found', () => {
    expect(faultOf('', 'id', 'agent.v1.Agent')).to.equal('says only its name again');
    expect(faultOf('The ids of the agent.', 'agentId', 'agent.v1.Mail')).to.equal('says only its name again');
    expect(faultOf('MERGED.', 'PULL_REQUEST_STATE_MERGED', 'forge.v1.PullRequestState')).to.include('its name again');
    expect(faultOf('how far it has got.', 'state', 'agent.v1.Mail')).to.equal('begins with a small letter');
    expect(faultOf('How far it has got', 'state', 'agent.v1.Mail')).to.equal('does not end as a sentence');
    expect(faultOf('How far it has got.', 'state', 'agent.v1.Mail')).to.equal(undefined);
  });
});
