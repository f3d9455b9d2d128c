import { expect } from 'chai';
import fc from 'fast-check';
import { brokenLine, lineOfPath } from '#machines/harness/json-line.ts';

describe('a line of a JSON text', () => {
  const text = '{\n  "a": [1,\n    {"b": "x:{[\\"",\n     "c": null}],\n  "d": {}\n}\n';

  for (const { path, line } of [
    { path: [], line: 1 },
    { path: ['a'], line: 2 },
    { path: ['a', 0], line: 2 },
    { path: ['a', 1], line: 3 },
    { path: ['a', 1, 'b'], line: 3 },
    { path: ['a', 1, 'c'], line: 4 },
    { path: ['d'], line: 5 },
    { path: ['d', 'missing'], line: 5 },
    { path: ['a', 7, 'x'], line: 2 },
  ]) {
    it(`is ${line} for ${JSON.stringify(path)}`, () => {
      expect(lineOfPath(text, path)).to.equal(line);
    });
  }

  for (const { broken, line } of [
    { broken: '{\n"a": 1\n"b": 2\n}', line: 3 },
    { broken: '{\n"a": 1,\n}', line: 3 },
    { broken: '{\n"a": "x\n",\n"b": 1}', line: 2 },
    { broken: '[\n1,\n2,\n', line: 3 },
    { broken: '[1,2]\n\n]', line: 3 },
    { broken: '{\n  // why\n  "a": 1\n}', line: 2 },
    { broken: "{\n  'a': 1\n}", line: 2 },
    { broken: '[\n-\n,1]', line: 2 },
    { broken: '', line: 1 },
  ]) {
    it(`is ${line} if ${JSON.stringify(broken)} is invalid there`, () => {
      expect(brokenLine(broken)).to.equal(line);
    });
  }

  it('is found for every value of any text', () => {
    const paths = (value: unknown, path: (string | number)[] = []): (string | number)[][] =>
      typeof value === 'object' && value !== null
        ? [
            path,
            ...Object.entries(value).flatMap(([key, each]) =>
              paths(each, [...path, Array.isArray(value) ? Number(key) : key]),
            ),
          ]
        : [path];
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // Indented so, every value begins on its own line, in the order in which they are visited.
        const all = paths(JSON.parse(JSON.stringify(value)));
        const lines = all.map((path) => lineOfPath(JSON.stringify(value, null, 1), path));
        expect(lines).to.deep.equal([...lines].sort((one, other) => one - other));
        expect(new Set(lines)).to.have.length(all.length);
      }),
    );
  });
});
