// Which passes of the linter `npm run check` needs. What most rules find depends on one file, so a file that was clean is
// not read again by them until it or the rules change. Two rules follow imports, and read every file each time.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The rules that follow imports. `biome.within-files.json` turns them off. */
const acrossFiles = ['nursery/noFloatingPromises', 'suspicious/noImportCycles'];
const record = join('node_modules', '.cache', 'lint.json');
const ruleFolder = 'lint';
/** Biome turns rules on by the packages that `package.json` names. */
const ruleFiles = [
  'biome.json',
  'biome.within-files.json',
  'package.json',
  join('node_modules', '@biomejs', 'biome', 'package.json'),
];

/**
 * The commands by name, and what to call when all of them pass. Without a record of an earlier check, or outside a git
 * repository, one command reads everything.
 */
export function lintPasses() {
  const digests = readDigests();
  const known = readRecord();
  const keep = () => digests && writeRecord(digests);
  if (digests === undefined || known === undefined || known.rules !== digests.rules)
    return { passes: { lint: ['biome', 'ci', '--error-on-warnings'] }, keep };
  const changed = Object.keys(digests.files).filter((file) => known.files[file] !== digests.files[file]);
  const across = acrossFiles.map((rule) => `--only=${rule}`);
  const passes = { 'lint across files': ['biome', 'lint', '--error-on-warnings', ...across] };
  if (changed.length > 0) passes[`lint within ${changed.length} changed files`] = withinFiles(changed);
  return { passes, keep };
}

function withinFiles(files) {
  const options = ['--config-path=biome.within-files.json', '--files-ignore-unknown=true', '--no-errors-on-unmatched'];
  return ['biome', 'ci', '--error-on-warnings', ...options, '--', ...files];
}

/** The digest of the rules and of each file that git does not ignore, or undefined where git names none. */
function readDigests() {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) return undefined;
  const files = stdout
    .split('\0')
    .map((name) => [name, digestOf(name)])
    .filter(([, digest]) => digest !== undefined);
  const rules = [...ruleFiles, ...readdirSync(ruleFolder).map((name) => join(ruleFolder, name))];
  return { rules: rules.map(digestOf).join(' '), files: Object.fromEntries(files) };
}

/** Undefined for a file that is gone, and for a link to a folder. */
function digestOf(file) {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('base64url');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return undefined;
    throw error;
  }
}

function readRecord() {
  try {
    return JSON.parse(readFileSync(record, 'utf8'));
  } catch {
    return undefined;
  }
}

function writeRecord(digests) {
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify(digests));
}
