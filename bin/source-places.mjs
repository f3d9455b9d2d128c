// Errors of a bundle name the places in its sources. A map is read only when the stack of an error of its file is asked
// for: that all are read as their files load, as Node does with `--enable-source-maps`, takes every process 0.2 s and
// 70 MB more.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const place = /((?:file:\/\/)?\/[^():]+\.js):(\d+):(\d+)/g;

/** Has the stacks of errors name the places in the sources of which the bundles of this folder were made. */
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

/**
 * Whether nobody reads this stack, for which every process would read a map of 2 MB: SQLite's binding makes a report to
 * learn which C library there is, and a bus connection notes where it was closed.
 */
function isUnread(error, frames) {
  return frames[0]?.getFileName() === 'node:internal/process/report' || headOf(error) === 'Error: close trace';
}

/** As V8 begins a stack, also for an error that cannot say what it is. */
function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}

function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
