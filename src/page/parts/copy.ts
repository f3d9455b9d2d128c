import { failureText } from '#page/api/failure-text.ts';
import { showNotice } from './notices.tsx';

/** Copies a text to the clipboard, and shows whether that worked. `more` is shown in addition. */
export async function copy(what: string, read: () => Promise<string>, more = ''): Promise<void> {
  try {
    await navigator.clipboard.writeText(await read());
    showNotice({ tone: 'done', text: `${what} copied${more}` });
  } catch (error) {
    showNotice({ tone: 'failed', text: failureText(error) });
  }
}
