import { expect } from 'chai';
import { ago } from '#cli/print/duration.ts';
import { textTable } from '#cli/print/text-table.ts';
import { cutToWidth, displayWidth } from '#cli/print/width.ts';
import { nearest } from '#contract/parse/nearest.ts';
import { printable, printableJson, printableLines } from '#contract/printable.ts';

describe('printable text', () => {
  const hostile: [raw: string, shown: string][] = [
    ['\u001b[2Jgone', '\\u001b[2Jgone'],
    ['\u009b31m', '\\u009b31m'],
    ['a\u0007\u007f', 'a\\u0007\\u007f'],
    ['two\nlines\r\tand', 'two\\nlines\\r\\tand'],
    ['\u202egnp.exe', '\\u202egnp.exe'],
    ['\u2066x\u2069', '\\u2066x\\u2069'],
    ['in\u200bvisible\u00ad\ufeff', 'in\\u200bvisible\\u00ad\\ufeff'],
    ['a\u200db', 'a\\u200db'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['\u2028', '\\u2028'],
    ['\ud800', '\\ud800'],
    ['\u3164', '\\u3164'],
    ['\u{1d159}', '\\ud834\\udd59'],
    ['\u{16fe4}', '\\ud81b\\udfe4'],
    ['\u034f\u17b4\uffa0\u{e0fff}', '\\u034f\\u17b4\\uffa0\\udb43\\udfff'],
    ...['1', '#', '*', '\u00a9', '\u2122', 'a', '中'].flatMap((sign): [string, string][] => [
      [`${sign}\ufe0f`, `${sign}\\ufe0f`],
      [`${sign}\ufe0e`, `${sign}\\ufe0e`],
      [`${sign}\u200d${sign}`, `${sign}\\u200d${sign}`],
    ]),
    ['👩\u200d', '👩\\u200d'],
    ['👩\u200d1', '👩\\u200d1'],
    ['😀\ufe0f\ufe0f', '😀\\ufe0f\\ufe0f'],
    ['❤️\ufe0f', '❤️\\ufe0f'],
    ['😀\u{e0061}\u{e007f}', '😀\\udb40\\udc61\\udb40\\udc7f'],
  ];
  const emoji = [
    '👩🏽‍💻',
    '❤️',
    '🇩🇪',
    '1️⃣',
    '#️⃣',
    '👨‍👩‍👧‍👦',
    '🧑🏻‍❤️‍💋‍🧑🏼',
    '🏳️‍🌈',
    '🏴‍☠️',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '👍🏽',
    '✌🏽',
    '⛹🏻‍♀️',
    '⚠︎',
  ];
  const harmless = ['fix-login', 'größe', '日本語', 'ﬁ', 'e\u0301', 'C:\\path', '12 # * ©', ...emoji, emoji.join('')];

  it('escapes characters that control a terminal or deceive a reader', () => {
    for (const [raw, shown] of hostile) expect(printable(raw)).to.equal(shown);
  });

  it('leaves all other characters', () => {
    for (const text of harmless) expect(printable(text)).to.equal(text);
  });

  it('keeps lines and tabs of a multi-line text', () => {
    expect(printableLines('a\r\n\tb\u001b\rc')).to.equal('a\n\tb\\u001b\\rc');
  });

  it('is JSON that parses to the same value', () => {
    const value = { [hostile[0]?.[0] ?? '']: [...hostile.map(([raw]) => raw), ...harmless] };
    for (const indent of [0, 2]) {
      const json = printableJson(value, indent);
      expect(JSON.parse(json)).to.deep.equal(value);
      expect(json)
        .to.match(/^[\P{Cc}\n]*$/u)
        .and.not.match(/[\u202e\u200b\u{e0041}]/u);
    }
  });
});

describe('text on a terminal', () => {
  it('has the width that a terminal shows', () => {
    const widths = { abc: 3, 日本語: 6, '👩🏽‍💻': 2, 'e\u0301': 1, '❤️': 2, größe: 5, '🇩🇪': 2, '├ x': 3 };
    for (const [text, width] of Object.entries(widths)) expect(displayWidth(text), text).to.equal(width);
  });

  it('is cut between characters', () => {
    expect(cutToWidth('abcdef', 6)).to.equal('abcdef');
    expect(cutToWidth('abcdef', 4)).to.equal('abc…');
    expect(cutToWidth('日本語', 4)).to.equal('日…');
  });

  it('is laid out in columns, of which the widest is cut first', () => {
    const columns = [{ title: 'A' }, { title: 'LONG', min: 6 }, { title: 'B' }];
    const rows = [
      [{ text: '1' }, { text: 'something long' }, { text: 'x' }],
      [{ text: '日本' }, { text: '' }, { text: 'y', paint: (text: string) => `<${text}>` }],
    ];
    expect(textTable(columns, rows)).to.equal(
      'A     LONG            B\n1     something long  x\n日本                  <y>\n',
    );
    expect(textTable(columns, rows, 15)).to.equal('A     LONG    B\n1     somet…  x\n日本          <y>\n');
    expect(textTable(columns, rows, 3)).to.include('somet…');
  });

  it('shows ages in their largest unit', () => {
    const now = Date.parse('2026-11-21T09:00:00Z');
    const told = ['08:59:58', '08:48:01', '02:00:00'].map((time) => ago(`2026-11-21T${time}Z`, now));
    expect(told).to.deep.equal(['2s', '11m', '7h']);
    expect(ago('2026-11-01T09:00:00Z', now)).to.equal('20d');
    expect(ago('2026-11-21T09:00:05Z', now)).to.equal('0s');
    expect(ago(undefined, now)).to.equal('');
  });

  it('suggests only similar words', () => {
    expect(nearest('sumary', ['summary', 'full'])).to.equal('summary');
    expect(nearest('LS', ['ls', 'show'])).to.equal('ls');
    expect(nearest('zebra', ['summary', 'full'])).to.equal(undefined);
    expect(nearest('x', [])).to.equal(undefined);
  });
});
