// Makes stack traces of a bundle point to its sources. A source map is read only when a stack is read. With
// `--enable-source-maps`, Node reads all maps at load, which costs every process 0.2 s and 70 MB.
import { createRequire, SourceMap } from 'node:module';

// An `import` of these would load all that their exports lead to, in every command.
const require = createRequire(import.meta.url);
const fs = require('node:fs');
const { resolve, sep } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');

const place = /((?:file:\/\/)?\/[^():]+\.c?js):(\d+):(\d+)/g;

/** Makes stack traces of the bundles in this folder point to their sources. */
export function nameSourcePlaces(folder) {
  const maps = new Map();
  const mapOf = (file) => {
    if (!maps.has(file)) maps.set(file, readMap(file));
    return maps.get(file);
  };
  const sourceOf = (text, address, line, column) => {
    const file = address.startsWith('file:') ? fileURLToPath(address) : address;
    if (!file.startsWith(folder + sep)) return text;
    const { fileName, lineNumber, columnNumber } = mapOf(file)?.findOrigin(Number(line), Number(column)) ?? {};
    return fileName === undefined
      ? text
      : `${pathToFileURL(resolve(file, '..', fileName))}:${lineNumber}:${columnNumber}`;
  };
  Error.prepareStackTrace = (error, frames) => {
    const named = isUnread(error, frames) ? (text) => text : (text) => text.replace(place, sourceOf);
    const places = frames.map((frame) => `\n    at ${named(`${frame}`)}`);
    return `${headOf(error)}${places.join('')}`;
  };
}

/** What Node's streams and a closed bus connection make and have V8 write down, whoever reads it. */
const unread = ['Error: close trace', 'AbortError: The operation was aborted'];

/**
 * Whether nobody reads this stack. Such errors occur in every process, and would cost it a map of 2 MB: one is of
 * SQLite's binding, which makes a report to find out the C library.
 */
function isUnread(error, frames) {
  return frames[0]?.getFileName() === 'node:internal/process/report' || unread.includes(headOf(error));
}

/** The first line of a stack, as V8 writes it; works for errors that cannot be converted to a string. */
function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}

function readMap(file) {
  try {
    return new SourceMap(JSON.parse(fs.readFileSync(`${file}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
