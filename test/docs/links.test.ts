import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const markdownIn = (folder: string) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}${name}`);
const pages = ['', 'docs/', 'docs/decisions/', 'docs/reference/'].flatMap(markdownIn);

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

describe('the files that a page names', () => {
  for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md'])
    it(`of ${page} exist`, () => {
      for (const [, path = ''] of read(page).matchAll(
        /`((?:src|actors|machines|bus|test|bench|docs|bin|lint)\/[\w./-]*)`/g,
      ))
        expect(existsSync(new URL(path, root)), `${page} names ${path}`).to.equal(true);
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
