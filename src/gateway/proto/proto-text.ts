import type { DescEnum, DescField, DescFile, DescMessage, DescService, FileRegistry } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { guidanceOf, type Operation } from '#contract/operation.ts';
import type { DeclaredType } from '#contract/parse/declared-type.ts';

const header = '// Written by `npm run proto` from the table in src/contract. Do not edit.';

/** The meanings of the fields or values of a contract type, by its full name. */
type Types = ReadonlyMap<string, Pick<DeclaredType, 'meanings'>>;

/**
 * The text of every own proto file by path. The comments of methods come from the rows, those of fields and enumeration
 * values from the types.
 */
export function protoTexts(
  registry: FileRegistry,
  rows: readonly Operation[],
  types: Types,
): ReadonlyMap<string, string> {
  const own = [...registry.files].filter((file) => !file.name.startsWith('google/'));
  return new Map(own.map((file) => [`${file.name}.proto`, fileText(file, rows, types)]));
}

function fileText(file: DescFile, rows: readonly Operation[], types: Types): string {
  const imports = file.proto.dependency.map((path) => `import "${path}";`);
  const blocks = [
    header,
    'syntax = "proto3";',
    `package ${file.proto.package};`,
    ...(imports.length === 0 ? [] : [imports.join('\n')]),
    ...file.services.map((service) => serviceText(service, rows)),
    ...file.messages.map((message) => messageText(message, types)),
    ...file.enums.map((enumeration) => enumText(enumeration, types)),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function serviceText(service: DescService, rows: readonly Operation[]): string {
  const methods = service.methods.map((method) => {
    const row = rows.find((one) => `${one.package}.${one.service}` === service.typeName && one.method === method.name);
    const comments = row === undefined ? [] : [row.summary, ...wrapped(guidanceOf(row))];
    const stream = method.methodKind === 'server_streaming' ? 'stream ' : '';
    const from = service.file.proto.package;
    const signature = `rpc ${method.name}(${near(method.input.typeName, from)}) returns (${stream}${near(method.output.typeName, from)})`;
    const body =
      method.idempotency === MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN
        ? [`${signature};`]
        : [
            `${signature} {`,
            `  option idempotency_level = ${MethodOptions_IdempotencyLevel[method.idempotency]};`,
            '}',
          ];
    return indented([...commentOf(comments), ...body]);
  });
  return `service ${service.name} {\n${methods.join('\n')}\n}`;
}

function messageText(message: DescMessage, types: Types): string {
  const meanings = types.get(message.typeName)?.meanings ?? {};
  if (message.fields.length === 0) return `message ${message.name} {}`;
  const fields = message.fields.flatMap((field) => [
    ...commentOf(wrapped(meanings[field.jsonName] ?? '')),
    fieldText(field),
  ]);
  return `message ${message.name} {\n${indented(fields)}\n}`;
}

function fieldText(field: DescField): string {
  const label = field.fieldKind === 'list' ? 'repeated ' : field.proto.proto3Optional ? 'optional ' : '';
  return `${label}${typeText(field)} ${field.name} = ${field.number};`;
}

function typeText(field: DescField): string {
  const from = field.parent.file.proto.package;
  if (field.enum !== undefined) return near(field.enum.typeName, from);
  if (field.message !== undefined) return near(field.message.typeName, from);
  if (field.scalar !== undefined) return ScalarType[field.scalar].toLowerCase();
  throw new Error('A map has no place in the table');
}

function enumText(enumeration: DescEnum, types: Types): string {
  const meanings = types.get(enumeration.typeName)?.meanings ?? {};
  const values = enumeration.values.flatMap(({ name, number }) => [
    ...commentOf(wrapped(meanings[name] ?? '')),
    `${name} = ${number};`,
  ]);
  return `enum ${enumeration.name} {\n${indented(values)}\n}`;
}

/** A type's name, without the package if it is the same. */
function near(typeName: string, from: string): string {
  return typeName.startsWith(`${from}.`) ? typeName.slice(from.length + 1) : typeName;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}

function commentOf(lines: readonly string[]): string[] {
  return lines.map((line) => `// ${line}`);
}

/** Breaks a text into lines of at most 100 characters. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length >= 100) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
