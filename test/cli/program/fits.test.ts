import { expect } from 'chai';
import fc from 'fast-check';
import { fits } from '#cli/rpc/fits.ts';
import { listedOperation, listedOperations } from '#cli/rpc/listed-operation.ts';
import { pathOf } from '#contract/operation.ts';
import { refuseUnknownFields } from '#contract/parse/known-fields.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import { operations } from '#contract/table.ts';
import { sampleOf } from '#test/gateway/sample-message.ts';

describe('the fast request check', () => {
  it('exists for every operation, and accepts a valid request of each', () => {
    expect(listedOperations().map(({ path }) => path)).to.deep.equal(operations.map(pathOf));
    for (const row of operations) {
      expect(fits(sampleOf(row.request), listedOperation(pathOf(row)).shape), row.method).to.equal(true);
    }
  });

  it('accepts nothing that the schema refuses or changes', () => {
    const leaf = fc.oneof(
      fc.string({ maxLength: 50 }),
      fc.constantFrom(
        '',
        'AGENT_ROLE_REVIEWER',
        'VIEW_FULL',
        'agt_1',
        'a',
        '1',
        '2026-11-21T09:00:00Z',
        'é😀'.repeat(120),
      ),
      fc.boolean(),
      fc.integer(),
      fc.double(),
      fc.constant(null),
      fc.array(fc.constantFrom('a', '1', 'Enter'), { maxLength: 25 }),
      fc.record({ cursor: fc.string(), pageSize: fc.oneof(fc.integer(), fc.string()) }, { requiredKeys: [] }),
    );
    let taken = 0;
    for (const row of operations) {
      const { shape } = listedOperation(pathOf(row));
      const good = sampleOf(row.request);
      const names = [...Object.keys(good), '__proto__', 'nonsense'];
      const change = fc.record({ name: fc.constantFrom(...names), value: leaf, drop: fc.boolean() });
      fc.assert(
        fc.property(change, ({ name, value, drop }) => {
          const request = Object.fromEntries(
            Object.entries({ ...good, [name]: value }).filter(([key]) => !drop || key !== name),
          );
          if (!fits(request, shape)) return;
          taken += 1;
          refuseUnknownFields(row.request, request);
          expect(parseRequest(row.request, request)).to.deep.equal(request);
        }),
        { numRuns: 150 },
      );
    }
    expect(taken).to.be.above(operations.length);
  });

  it('applies the limits of texts exactly', () => {
    const { shape } = listedOperation('agent.v1.AgentService/CreateAgent');
    const titled = (length: number) => fits({ prompt: 'p', workflowId: 'w', title: '😀'.repeat(length) }, shape);
    expect([titled(200), titled(201)]).to.deep.equal([true, false]);
    for (const prompt of ['', ' ', '\n\t']) expect(fits({ prompt, workflowId: 'w' }, shape)).to.equal(false);
    expect(fits({ prompt: 'p' }, shape)).to.equal(false);
  });
});
