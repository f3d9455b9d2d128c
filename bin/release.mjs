// `npm run release`: makes the files of a release from this commit: the package, its bill of materials, checksums and notes. The
// same commit gives the same bytes. It publishes nothing: .github/workflows/release.yml does. With `--dry-run`, the tree may have
// changes, the section of the changelog no date, and the commit no tag; `--out FOLDER` names another folder than dist/release.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './program-state.mjs';
import { checksumsText, notesText, sectionOf, steadyBill } from './release-text.mjs';

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, out: { type: 'string', default: 'dist/release' } },
});
try {
  release(values['dry-run'], resolve(values.out));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function release(isDry, folder) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { date, text } = sectionOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  const lacks = lacksOf(version, date);
  if (lacks.length > 0 && !isDry) throw new Error(`muster ${version} is not released:\n  ${lacks.join('\n  ')}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tarball = pack(folder);
  const time = new Date(run('git', 'log', '-1', '--format=%cI')).toISOString();
  const bill = run('npm', 'sbom', '--sbom-format=cyclonedx', '--package-lock-only');
  writeFileSync(join(folder, 'sbom.cdx.json'), steadyBill(bill, { name, time, sha256: tarball.sha256 }));
  const files = [tarball, described(folder, 'sbom.cdx.json')];
  writeFileSync(join(folder, 'SHA256SUMS'), checksumsText(files));
  writeFileSync(join(folder, 'notes.md'), notesText({ name, version, text, files }));
  process.stdout.write(`muster ${version}, in ${folder}:\n${checksumsText(files)}`);
  if (lacks.length > 0) process.stdout.write(`Before it is released:\n  ${lacks.join('\n  ')}\n`);
}

/** What is still to do before the commit is a release. */
function lacksOf(version, date) {
  const tags = run('git', 'tag', '--points-at', 'HEAD').split('\n');
  return [
    ...(run('git', 'status', '--porcelain') === '' ? [] : ['the tree has changes: commit them']),
    ...(date === undefined ? [`CHANGELOG.md says "unreleased": write "## ${version} (YYYY-MM-DD)"`] : []),
    ...(tags.includes(`v${version}`) ? [] : [`the commit has no tag: git tag --annotate v${version}`]),
  ];
}

function pack(folder) {
  const printed = run('npm', 'pack', '--json', '--pack-destination', folder);
  // The output of `prepack` may come first.
  const [packed] = Object.values(JSON.parse(printed.slice(printed.search(/^[[{]/m))));
  return described(folder, packed.filename);
}

function described(folder, name) {
  return {
    name,
    sha256: createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  };
}

function run(command, ...args) {
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 2], maxBuffer: 64 * 1024 * 1024 };
  return execFileSync(command, args, options).trim();
}
