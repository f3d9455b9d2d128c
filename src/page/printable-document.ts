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
 * Makes every text in the document printable, whether this page, React or a library writes it: characters that reorder
 * text, are invisible or are controls are shown as their escapes, such as `\u202e`. The values of fields are not texts
 * of the document, and stay as they are.
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
