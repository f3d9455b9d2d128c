import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { writePageClient } from '#gateway/page-client.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe("the page's client", () => {
  let folder: TemporaryFolder;
  before(() => {
    folder = temporaryFolder('client');
  });
  after(() => folder.remove());

  it('is what `npm run proto` generates', () => {
    const proto = join(root, 'proto');
    const made = join(folder.path, 'client');
    writePageClient(proto, made);
    const committed = join(root, 'src/page/client');
    const files = (at: string) =>
      readdirSync(at, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(at.length))
        .sort();
    expect(files(committed)).to.deep.equal(files(made));
    const stale = files(made).filter(
      (file) => readFileSync(join(committed, file), 'utf8') !== readFileSync(join(made, file), 'utf8'),
    );
    expect(stale, 'run npm run proto').to.deep.equal([]);
  });
});
