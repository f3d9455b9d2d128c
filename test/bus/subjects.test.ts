import { expect } from 'chai';
import fc from 'fast-check';
import {
  checkPattern,
  checkSubject,
  factPattern,
  factSubject,
  hostHintSubject,
  hostSubject,
  operationSubject,
} from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import { operations } from '#contract/table.ts';

const hostile = ['', 'a b', 'a.b', '*', '>', 'a>', 'a\r\nPUB x 1', 'ä', 'a\u0000', 'x'.repeat(129)];

describe('the subjects of the bus', () => {
  it('names every operation of the table by package, service and method', () => {
    const row = operations.find((one) => one.method === 'ListAgents');
    expect(row && operationSubject(row)).to.equal('rpc.agent.v1.AgentService.ListAgents');
    expect(new Set(operations.map(operationSubject)).size).to.equal(operations.length);
  });

  it('names hosts, bells and facts', () => {
    expect(hostSubject('hst_01', 'attach')).to.equal('host.hst_01.attach');
    expect(hostHintSubject('hst_01')).to.equal('bell.hst_01');
    expect(factSubject('agent.state-moved')).to.equal('fact.agent.state-moved');
  });

  it('match the kinds that start with a prefix', () => {
    expect(factPattern('')).to.equal('fact.>');
    expect(factPattern('agent.')).to.equal('fact.agent.>');
    expect(factPattern('agent.state')).to.equal('fact.agent.>');
  });

  for (const id of hostile) {
    it(`refuses ${JSON.stringify(id.slice(0, 20))} as an id`, () => {
      expect(() => hostHintSubject(id))
        .to.throw(Failure)
        .with.property('code', 'invalid_argument');
      expect(() => hostSubject(id, 'attach')).to.throw(Failure);
      expect(() => hostSubject('hst_01', id)).to.throw(Failure);
    });
  }

  it('allows wildcards only in a pattern, and > only at its end', () => {
    expect(checkPattern('fact.*.moved')).to.equal('fact.*.moved');
    expect(checkPattern('fact.>')).to.equal('fact.>');
    for (const wrong of ['fact.>.x', 'fact.a*', 'fact..x', '']) expect(() => checkPattern(wrong)).to.throw(Failure);
    for (const wrong of ['fact.>', 'fact.*', 'a b']) expect(() => checkSubject(wrong)).to.throw(Failure);
  });

  it('never lets an id add a token or a wildcard', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (id) => {
        let subject: string;
        try {
          subject = hostHintSubject(id);
        } catch {
          return;
        }
        expect(subject).to.match(/^bell\.[$A-Za-z0-9_-]+$/);
      }),
    );
  });
});
