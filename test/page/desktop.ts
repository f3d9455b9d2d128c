import type { Page } from 'playwright-core';

/** A script for a page: it notes what would be shown and sound, in place of the desktop. */
export const desktop = `
  window.shown = [];
  window.sounded = 0;
  window.Notification = class {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    constructor(title, options) { window.shown.push(title + ': ' + options.body); }
    close() {}
  };
  window.AudioContext = class extends AudioContext {
    constructor() { super(); window.sounded += 1; }
  };
`;

/** The notifications that a page has shown. */
export const shownBy = (page: Page): Promise<string[]> => page.evaluate<string[]>('window.shown');
