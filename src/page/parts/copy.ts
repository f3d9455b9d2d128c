import { failureText } from '#page/api/failure-text.ts';
import { showNotice } from './notices.tsx';

/** Puts a text on the clipboard, and shows whether it is there. `more`: what is shown beside. */
export async function copy(what: string, read: () => Promise<string>, more = ''): Promise<void> {
  try {
    await navigator.clipboard.writeText(await read());
    showNotice({ tone: 'done', text: `${what} copied${more}` });
  } catch (error) {
    showNotice({ tone: 'failed', text: failureText(error) });
  }
}
