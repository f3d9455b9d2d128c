import { expect } from 'chai';
import { closeContexts, sharedBrowser } from '../browser.ts';
import { showFolders, shownFolders } from './folders.ts';

describe('the pictures of the page', () => {
  after(async () => closeContexts(await sharedBrowser()));

  it('show a fictional home instead of the real computer’s folders', async () => {
    const page = await (await sharedBrowser()).newPage();
    const checkout = process.cwd();
    await page.setContent(
      `<p>node at <b>${checkout}/node_modules</b>, state in /tmp/pieces/home</p><input value="/tmp/fleet/shop">`,
    );
    await showFolders(page, shownFolders({ folder: '/tmp/fleet', pieces: { home: '/tmp/pieces/home' } }));
    expect(await page.locator('p').textContent()).to.equal(
      'node at /home/ada/muster/node_modules, state in /home/ada/.local/state/muster',
    );
    expect(await page.locator('input').inputValue()).to.equal('/home/ada/shop');
  });
});
