// What a release says of itself, from texts alone: the changelog's section, the notes, and a bill of materials that is the same
// each time.
import { createHash } from 'node:crypto';

/** The section of a version in the changelog, and its date; the date is undefined if it is not released. */
export function sectionOf(changelog, version) {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\((unreleased|\\d{4}-\\d{2}-\\d{2})\\)$`, 'm');
  const found = heading.exec(changelog);
  if (found === null)
    throw new Error(`CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)" for the version of package.json`);
  const rest = changelog.slice(found.index + found[0].length);
  const end = rest.search(/^## /m);
  const text = (end < 0 ? rest : rest.slice(0, end)).trim();
  if (text === '') throw new Error(`The section of ${version} in CHANGELOG.md is empty: it says what changed`);
  return { date: found[1] === 'unreleased' ? undefined : found[1], text };
}

/**
 * A bill of materials by npm, in CycloneDX, without what differs from run to run: the time is that of the commit, and the serial
 * number follows from the package. npm names the package after its folder, so `name` replaces that.
 */
export function steadyBill(printed, { name, time, sha256 }) {
  const bill = JSON.parse(printed);
  const hex = createHash('sha256').update(sha256).digest('hex');
  // A name-based UUID (version 8) of the digest.
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  const component = { ...bill.metadata.component, name };
  const metadata = { ...bill.metadata, timestamp: time, component };
  const steady = { ...bill, serialNumber: `urn:uuid:${uuid}`, metadata };
  return `${JSON.stringify(steady, undefined, 2)}\n`;
}

/** The file of checksums, as `sha256sum --check` reads it. */
export function checksumsText(files) {
  return files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
}

/** The notes of a release. */
export function notesText({ name, version, text, files }) {
  return `# muster ${version}

\`\`\`sh
npm install --global ${name}@${version}   # the first time
muster upgrade --to ${version}            # from an earlier version
\`\`\`

${text}

## Files

\`\`\`
${checksumsText(files)}\`\`\`

\`npm audit signatures\` checks where the package was built.
`;
}
