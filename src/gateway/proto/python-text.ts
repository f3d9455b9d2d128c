import type { FileRegistry } from '@bufbuild/protobuf';
import type { Operation } from '#contract/operation.ts';
import { failureReasons } from '#contract/reason/failure-reasons.ts';
import { docText, header, moduleOf } from './python-doc.ts';
import { messagesText, type Types } from './python-messages.ts';
import { serviceText } from './python-service.ts';

/**
 * The generated modules of the Python client by path: the messages of each package as dataclasses, its services with
 * blocking and asynchronous methods, and the reasons of refusals.
 */
export function pythonTexts(
  registry: FileRegistry,
  rows: readonly Operation[],
  types: Types,
): ReadonlyMap<string, string> {
  const own = [...registry.files].filter((file) => !file.name.startsWith('google/'));
  return new Map([
    ['__init__.py', `${header}\n`],
    ['reason.py', reasonText()],
    ...own.map((file) => [`${moduleOf(file)}.py`, messagesText(file, types)] as const),
    ...own
      .filter(({ services }) => services.length > 0)
      .map(
        (file) =>
          [`${moduleOf(file)}_service.py`, file.services.map((one) => serviceText(one, rows)).join('\n')] as const,
      ),
  ]);
}

function reasonText(): string {
  const values = Object.entries(failureReasons).map(
    ([name, { meaning }]) => `    ${name} = "${name}"\n${docText(meaning, 4)}`,
  );
  return `${header}
from enum import Enum


class Reason(str, Enum):
    """Why muster refuses a call: the closed list. A newer muster may send others."""

${values.join('\n')}
`;
}
