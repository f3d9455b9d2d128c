import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const markdownIn = (folder: string) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}${name}`);
const pages = [
  '',
  'docs/',
  'docs/decisions/',
  'docs/reference/',
  'docs/screens/',
  'deploy/',
  'clients/typescript/',
  'clients/python/',
].flatMap(markdownIn);

/** GitHub's anchor of a heading. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
const headings = (path: string) => [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

describe('the links of the documentation', () => {
  for (const page of pages)
    it(`of ${page} lead to files and headings that exist`, () => {
      for (const [, path = '', fragment] of read(page).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
        const target = path === '' ? page : new URL(path, new URL(page, root)).href.slice(root.href.length);
        expect(existsSync(new URL(target, root)), `${page} names ${path}`).to.equal(true);
        if (fragment !== undefined && target.endsWith('.md'))
          expect(headings(target).map(anchor), `${page} names ${path}#${fragment}`).to.include(fragment);
      }
    });
});

describe('the pictures of the page', () => {
  const folder = new URL('docs/screens/', root);
  const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'));

  it('are all named in docs/screens/README.md', () => {
    const page = read('docs/screens/README.md');
    expect(pictures.filter((name) => !page.includes(`](${name})`))).to.deep.equal([]);
  });

  it('are below 150 kB each, and 3 MB together', () => {
    const sizes = pictures.map((name) => statSync(new URL(name, folder)).size);
    expect(Math.max(...sizes)).to.be.below(150_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.below(3_000_000);
  });
});

describe('the files that a page names', () => {
  for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/flows.md'])
    it(`of ${page} exist`, () => {
      for (const [, path = ''] of read(page).matchAll(
        /`((?:src|actors|machines|bus|test|bench|docs|bin|lint)\/[\w./-]*)`/g,
      ))
        expect(existsSync(new URL(path, root)), `${page} names ${path}`).to.equal(true);
    });
});

describe('docs/flows.md', () => {
  const page = read('docs/flows.md');
  const sections = page.split(/^##+ /m).slice(1);

  it('names functions that are in the files beside them', () => {
    const named = [...page.matchAll(/`(\w+)` in `([\w./-]+)`/g)];
    expect(named.length).to.be.above(50);
    for (const [, name = '', path = ''] of named)
      expect(read(path), `${path} has no ${name}`).to.match(
        new RegExp(`\\b(?:function\\*?|class|const) ${name}\\b|^  #?(?:async )?#?${name}\\(`, 'm'),
      );
  });

  it('counts its hops', () => {
    const lengths = new Map<string, number>();
    for (const section of sections) {
      const [title = ''] = section.split('\n');
      const rows = [...section.matchAll(/^\| (\d+)(?:–(\d+))? \|(.*)$/gm)];
      let last = 0;
      for (const [row, first = '', end = first, rest = ''] of rows) {
        expect(Number(first), `${title}: ${row}`).to.equal(last + 1);
        const part = /^ (a call|a write|a host hint|a commit of the host|a hint|a typed line)\b/.exec(rest)?.[1];
        const hops = part === undefined ? 1 : lengths.get(part.replace('the host', 'a host').replace(/^a /, 'A '));
        expect(Number(end) - last, `${title}: ${row}`).to.equal(hops);
        last = Number(end);
      }
      if (last > 0) lengths.set(title, last);
      const said = /: (\d+) hops\.$/m.exec(section)?.[1];
      if (said !== undefined) expect(Number(said), title).to.equal(last);
    }
    for (const [, title = '', hops = ''] of page.matchAll(/^\| \[(.+)\]\(#.+\) \| (\d+) \|$/gm))
      expect(lengths.get(title), title).to.equal(Number(hops));
  });
});

describe('the decisions', () => {
  const files = markdownIn('docs/decisions/');

  it('each have a status', () => {
    for (const file of files)
      for (const [, heading = '', status = ''] of read(file).matchAll(/^## (.+)\n\n(.*)$/gm))
        expect(status, `${file}: ${heading}`).to.match(/^Status: (accepted|superseded by \[.+\]\(.+\))$/);
  });

  it('are each listed once in docs/decisions.md', () => {
    const listed = [...read('docs/decisions.md').matchAll(/^- \[(.+)\]\(decisions\/([\w-]+\.md)#/gm)].map(
      ([, title, file]) => `docs/decisions/${file}: ${title}`,
    );
    const written = files.flatMap((file) =>
      [...read(file).matchAll(/^## (.+)$/gm)].map(([, title]) => `${file}: ${title}`),
    );
    expect(listed.toSorted()).to.deep.equal(written.toSorted());
  });
});
