import { printableLines } from '#contract/printable.ts';

/** Attributes that a browser shows or a screen reader reads aloud. */
const shownAttributes: ReadonlySet<string> = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'label',
  'placeholder',
  'title',
]);

/**
 * Makes every text that is written into the document printable, whoever writes it, React and libraries too: what could
 * turn the order of letters around, hides, or steers is shown as its escape, such as `\u202e`. What a field holds is
 * not text of the document, and stays as it is.
 */
export function keepDocumentPrintable(): void {
  const { createTextNode } = Document.prototype;
  Document.prototype.createTextNode = function createPrintable(text) {
    return createTextNode.call(this, printableLines(String(text)));
  };
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function setPrintable(name, value) {
    setAttribute.call(this, name, shownAttributes.has(name) ? printableLines(String(value)) : value);
  };
  for (const property of ['nodeValue', 'textContent'] as const) guardSetter(property);
}

function guardSetter(property: 'nodeValue' | 'textContent'): void {
  const own = Object.getOwnPropertyDescriptor(Node.prototype, property);
  const write = own?.set;
  if (own === undefined || write === undefined) throw new Error(`a node has no ${property} that can be set`);
  const set = function setPrintable(this: Node, text: string | null): void {
    write.call(this, text === null ? null : printableLines(String(text)));
  };
  Object.defineProperty(Node.prototype, property, { ...own, set });
}
