import type { Page } from 'playwright-core';

/** The minimum size of text, and of a touch target, in pixels. */
const least = { letter: 12, target: 40 } as const;

/** The texts whose letters are too small as they are shown, also in a chart and in a terminal. */
export function smallLetters(page: Page): Promise<string[]> {
  return page.evaluate((size) => {
    const texts = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
      const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      // Those of size 0 are for screen readers only.
      const isSeen = element.checkVisibility() && element.closest('.unseen') === null;
      return own && isSeen && getComputedStyle(element).fontSize !== '0px';
    });
    const sizeOf = (element: HTMLElement): number => {
      const drawing = element.closest('svg');
      const drawn = drawing?.viewBox.baseVal.width ?? 0;
      const zoom = drawn === 0 ? 1 : (drawing?.getBoundingClientRect().width ?? 0) / drawn;
      return Number.parseFloat(getComputedStyle(element).fontSize) * zoom;
    };
    const small = texts.filter((element) => sizeOf(element) < size - 0.01);
    return small.map((element) => `${element.textContent} (${getComputedStyle(element).fontSize})`);
  }, least.letter);
}

/** What is too small for a finger, and what is beyond the right edge and not in something that scrolls. */
export function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate((size) => {
    const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent ?? '';
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const targets = [...document.querySelectorAll('button, a, select, summary, input, textarea, label:has(> input)')];
    const low = targets.filter((target) => {
      const { height } = target.getBoundingClientRect();
      // A link may be as large as the row that it is in, and a box as the label that it is in.
      const cover = getComputedStyle(target, '::after');
      const isCovered = cover.position === 'absolute' && cover.content !== 'none';
      const isLabelled = target.matches('[type="checkbox"], [type="radio"]') && target.closest('label') !== null;
      // A line of code is as high as it is, and its number with it.
      const isLine = target.hasAttribute('data-at');
      const isSeen = target.checkVisibility() && target.closest('.unseen') === null;
      return isSeen && !isLine && !isCovered && !isLabelled && height > 0 && height < size;
    });
    const all = [...document.querySelectorAll('main input, main button, main a, main h2, main p')];
    const beyond = all.filter((element) => {
      return element.getBoundingClientRect().right > window.innerWidth + 1 && !scrolls(element.parentElement);
    });
    return [
      ...low.map((target) => `low: ${nameOf(target)}`),
      ...beyond.map((element) => `beyond the edge: ${nameOf(element)}`),
    ];
  }, least.target);
}
