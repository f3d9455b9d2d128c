import { type DescEnum, type DescField, type DescFile, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import type { DeclaredType } from '#contract/parse/declared-type.ts';
import { docText, header, moduleOf } from './python-doc.ts';

const timestamp = 'google.protobuf.Timestamp';

/** The meanings of the fields or values of a contract type, by its full name. */
export type Types = ReadonlyMap<string, Pick<DeclaredType, 'meanings'>>;

/** The module of a package’s messages and enumerations. */
export function messagesText(file: DescFile, types: Types): string {
  const imports = file.proto.dependency
    .filter((path) => !path.startsWith('google/'))
    .map((path) => path.slice(path.lastIndexOf('/') + 1, -'.proto'.length));
  const blocks = [
    ...file.enums.map((one) => enumText(one, types)),
    ...file.messages.map((one) => messageText(one, types)),
  ];
  return `${header}
from __future__ import annotations

from dataclasses import dataclass, field as _field
from datetime import datetime
from enum import Enum
from typing import ClassVar, List, Optional, Sequence, Union

from ..message import Field, Message
${imports.length === 0 ? '' : `from . import ${imports.join(', ')}\n`}
${blocks.join('\n\n')}`;
}

function enumText(enumeration: DescEnum, types: Types): string {
  const meanings = types.get(enumeration.typeName)?.meanings ?? {};
  const values = enumeration.values.map(
    ({ name }) => `    ${memberOf(enumeration, name)} = "${name}"\n${docText(meanings[name] ?? '', 4)}`,
  );
  return `\nclass ${enumeration.name}(str, Enum):\n    """${enumeration.typeName}"""\n\n${values.join('')}`;
}

/** A value’s name in Python: without the name of its enumeration, if that leaves a name. */
function memberOf(enumeration: DescEnum, value: string): string {
  const prefix = (enumeration.values[0]?.name ?? '').replace(/UNSPECIFIED$/, '');
  const short = value.startsWith(prefix) ? value.slice(prefix.length) : value;
  return /^[A-Z]\w*$/.test(short) && short !== 'None' ? short : value;
}

function messageText(message: DescMessage, types: Types): string {
  const meanings = types.get(message.typeName)?.meanings ?? {};
  const fields = message.fields.map(
    (one) =>
      `    ${pythonName(one)}: ${annotation(one)} = ${defaultOf(one)}\n${docText(meanings[one.jsonName] ?? '', 4)}`,
  );
  const described = message.fields.map(
    (one) =>
      `        Field("${pythonName(one)}", "${one.jsonName}", ${kindOf(one)}, ${one.fieldKind === 'list' ? 'True' : 'False'}, ${isOptional(one) ? 'True' : 'False'}),\n`,
  );
  return `
@dataclass
class ${message.name}(Message):
    """${message.typeName}"""

${fields.join('')}    FIELDS: ClassVar[Sequence[Field]] = (\n${described.join('')}    )
`;
}

const keywords = new Set([
  'from',
  'in',
  'is',
  'as',
  'class',
  'def',
  'global',
  'import',
  'pass',
  'raise',
  'return',
  'with',
]);

function pythonName({ name }: DescField): string {
  return keywords.has(name) ? `${name}_` : name;
}

/** Whether unset differs from the zero value. */
function isOptional(one: DescField): boolean {
  return one.fieldKind !== 'list' && (one.message !== undefined || Boolean(one.proto.proto3Optional));
}

function annotation(one: DescField): string {
  if (one.fieldKind === 'list') return `List[${elementType(one)}]`;
  return isOptional(one) ? `Optional[${elementType(one)}]` : elementType(one);
}

function elementType(one: DescField): string {
  // A newer muster may send a value that this enumeration does not have.
  if (one.enum !== undefined) return `Union[${nameFrom(one, one.enum)}, str]`;
  if (one.message?.typeName === timestamp) return 'datetime';
  if (one.message !== undefined) return nameFrom(one, one.message);
  return scalarTypes[scalarOf(one)];
}

function defaultOf(one: DescField): string {
  if (one.fieldKind === 'list') return '_field(default_factory=list)';
  if (isOptional(one)) return 'None';
  if (one.enum !== undefined) return `${nameFrom(one, one.enum)}.${memberOf(one.enum, one.enum.values[0]?.name ?? '')}`;
  return { str: '""', bool: 'False', int: '0', float: '0.0' }[scalarTypes[scalarOf(one)]];
}

/** What reads and writes the field’s JSON: a name of a scalar, or what returns its class. */
function kindOf(one: DescField): string {
  if (one.message?.typeName === timestamp) return '"timestamp"';
  const declared = one.enum ?? one.message;
  return declared === undefined ? `"${scalarOf(one)}"` : `lambda: ${nameFrom(one, declared)}`;
}

const scalarTypes = { string: 'str', bool: 'bool', int32: 'int', int64: 'int', double: 'float' } as const;

function scalarOf(one: DescField): keyof typeof scalarTypes {
  switch (one.scalar) {
    case ScalarType.STRING:
      return 'string';
    case ScalarType.BOOL:
      return 'bool';
    case ScalarType.INT32:
      return 'int32';
    case ScalarType.INT64:
      return 'int64';
    case ScalarType.DOUBLE:
      return 'double';
    default:
      throw new Error(`${one.toString()} has a type that the Python client does not know`);
  }
}

/** A type’s name, with its module if that is another. */
function nameFrom(one: DescField, declared: DescEnum | DescMessage): string {
  return declared.file === one.parent.file ? declared.name : `${moduleOf(declared.file)}.${declared.name}`;
}
