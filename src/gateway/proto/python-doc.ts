import type { DescFile } from '@bufbuild/protobuf';

/** The first line of a generated module. */
export const header = '# Written by `npm run proto` from the table in src/contract. Do not edit.';

/** The name of a package’s module: `agent` for `agent/v1/agent`. */
export function moduleOf(file: DescFile): string {
  return file.name.slice(file.name.lastIndexOf('/') + 1);
}

/** A docstring, or nothing for an empty text. */
export function docText(text: string, indent: number): string {
  if (text === '') return '';
  const space = ' '.repeat(indent);
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '\\"');
  const lines = escaped.split('\n').flatMap((line) => wrapped(line, 100 - indent));
  return `${space}"""${lines.map((line, at) => (at === 0 || line === '' ? line : `${space}${line}`)).join('\n')}"""\n`;
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
