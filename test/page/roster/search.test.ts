import { create } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { AgentRowSchema } from '#page/client/agent/v1/agent_pb.js';
import { searched } from '#page/roster/search.ts';

const verbs = [
  'add',
  'bump',
  'cache',
  'drop',
  'edit',
  'fix',
  'guard',
  'hide',
  'index',
  'join',
  'keep',
  'log',
  'move',
  'name',
];
const things = [
  'alerts',
  'billing',
  'cart',
  'docs',
  'emails',
  'forms',
  'graphs',
  'hooks',
  'icons',
  'jobs',
  'keys',
  'lists',
  'menus',
  'nodes',
];

describe('a search in the list', () => {
  const rows = verbs.flatMap((verb) =>
    things.map((thing) => ({
      row: create(AgentRowSchema, {
        agent: { name: `${verb}-${thing}`, task: `Please ${verb} all of the ${thing} of it` },
      }),
      beside: ['working', 'shop'],
    })),
  );
  const found = (words: string) => searched(rows, words).map(({ agent }) => agent?.name);

  it('finds one of two hundred with two keys: the initials of its name, or its beginning', () => {
    expect(rows.length).to.equal(196);
    expect(found('fb')).to.deep.equal(['fix-billing']);
    expect(found('NM')).to.deep.equal(['name-menus']);
    expect(found('gu')).to.have.length(things.length);
    expect(found('f b')).to.deep.equal(['bump-forms', 'fix-billing']);
  });

  it('narrows with one key to names with a word that begins with it', () => {
    expect(found('b')).to.have.length(things.length + verbs.length - 1);
    for (const name of found('b')) expect(name).to.match(/\bb/);
  });

  it('finds longer words anywhere in the row, also in combination with short ones', () => {
    expect(found('billing shop')).to.have.length(verbs.length);
    expect(found('billing f')).to.deep.equal(['fix-billing']);
    expect(found('all of the')).to.have.length(196);
  });

  it('falls back to any place in the row for one or two letters, and shows all for none', () => {
    for (const name of found('x')) expect(name).to.match(/x/);
    expect(found('op').length).to.be.above(0);
    expect(found('qq')).to.deep.equal([]);
    expect(found(' ')).to.have.length(196);
  });
});
