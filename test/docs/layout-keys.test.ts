import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { z } from 'zod';
import { ScreenLabel } from '#contract/pane/recorded-screen.ts';
import { ScreenLayout } from '#contract/pane/screen-rule.ts';

const page = readFileSync(new URL('../../docs/pane-states.md', import.meta.url), 'utf8');
const section = /### What a layout holds\n(.*?)\n## /s.exec(page)?.[1] ?? '';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
}

/** Every key that a schema names, and every word that a key may have. */
function wordsIn({ properties = {}, items, oneOf = [], anyOf = [], const: only, enum: list = [] }: Schema): string[] {
  const own = Object.entries(properties).flatMap(([key, schema]) => [key, ...wordsIn(schema)]);
  const words = [only, ...list].filter((word) => typeof word === 'string');
  const within = [...(items === undefined ? [] : [items]), ...oneOf, ...anyOf];
  return [...own, ...words, ...within.flatMap(wordsIn)];
}

describe('the page about reading panes', () => {
  const words = [...new Set(wordsIn(z.toJSONSchema(ScreenLayout, { io: 'input' }) as Schema))];

  it('explains every key of a layout, and all of its values', () => {
    expect(words).to.include.members(['composers', 'framed', 'seated', 'sealed', 'plainTexts', 'reverse']);
    expect(words.filter((word) => !section.includes(`\`${word}\``) && word !== 'kind')).to.deep.equal([]);
  });

  it('has an example of each kind of composer and form, and of each of their keys', () => {
    const drawings = section.split('\n').filter((line) => line.startsWith('    '));
    const keys = [
      'top',
      'prompt',
      'more',
      'bottom',
      'bar',
      'base',
      'footer',
      'left',
      'marks',
      'head',
      'foot',
      'row',
      'ends',
      'rows',
      'looks',
      'texts',
    ];
    const missing = keys.filter((key) => !drawings.some((line) => new RegExp(`(?:\\s|\`)${key}(?:\\s|\`)`).test(line)));
    expect(missing).to.deep.equal([]);
  });

  it('lists every word for a CLI’s display', () => {
    expect(ScreenLabel.options.filter((label) => !page.includes(`\`${label}\``))).to.deep.equal([]);
  });
});
