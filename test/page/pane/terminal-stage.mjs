// What the test of every screen loads into its browser: the page's own terminal beside an empty panel. `show` draws
// screens, each in a new one, and gives what the document came to, row by row.
import { Terminal } from '@xterm/xterm';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { TerminalScreen } from '#page/pane/terminal.tsx';
import { keepDocumentPrintable } from '#page/printable-document.ts';
import '#page/style/tokens.css';
import '#page/style/base.css';
import '#page/pane/pane.css';

keepDocumentPrintable();
const place = document.getElementById('root');
// Laid out and not painted, which takes most of the time and is not looked at.
place.style.visibility = 'hidden';
const root = createRoot(place);
let calls = 0;
let drawn = () => undefined;

const { write } = Terminal.prototype;
Terminal.prototype.write = function writeAndTell(data) {
  write.call(this, data, () => {
    const rendering = this.onRender(() => {
      rendering.dispose();
      drawn();
    });
  });
};

window.show = async (screens) => {
  const all = [];
  for (const [screen, evidence] of screens) {
    const drawing = new Promise((resolve) => {
      drawn = resolve;
    });
    calls += 1;
    root.render(paneOf(calls, screen, evidence));
    await drawing;
    all.push(shownIn(document.querySelector('.pane-side-by-side')));
  }
  return all;
};

function paneOf(key, screen, evidence) {
  const terminal = createElement(TerminalScreen, { name: 'Ada', screen, evidence, onLeave: () => undefined });
  const main = createElement('div', { className: 'pane-main' }, terminal);
  const aside = createElement('aside', { className: 'pane-aside' });
  return createElement('div', { key, className: 'pane-side-by-side' }, main, aside);
}

function shownIn(pane) {
  const rows = [...pane.querySelectorAll('.xterm-rows > div')];
  const tops = rows.map((row) => Math.round(row.getBoundingClientRect().top));
  return {
    isBeside: pane.dataset.beside === 'true',
    rows: rows.map((row) => [...row.children].map(spanOf)),
    marked: [...pane.querySelectorAll('.evidence-row')].map((mark) => nearest(tops, mark.getBoundingClientRect().top)),
    letters: Number.parseFloat(getComputedStyle(pane.querySelector('.xterm-rows')).fontSize),
  };
}

/** The row that begins where something begins; none where it begins between two of them. */
function nearest(tops, top) {
  return tops.findIndex((one) => Math.abs(one - top) <= 2);
}

/** How spans look, by their classes and their own style: the same in every terminal, whose sheets are alike. */
const looks = new Map();

function spanOf(span) {
  const key = `${span.className} ${span.getAttribute('style')}`;
  const look = looks.get(key) ?? lookOf(span);
  looks.set(key, look);
  return { text: span.textContent, ...look };
}

function lookOf(span) {
  const { color, backgroundColor } = getComputedStyle(span);
  const has = (name) => span.className.split(' ').some((one) => one.startsWith(`xterm-${name}`));
  const look = ['bold', 'dim', 'italic', 'underline', 'strikethrough'].filter(has).join(' ');
  return { color, background: backgroundColor, look };
}
