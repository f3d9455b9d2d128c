import type { DescEnum, DescField, DescFile, DescMessage, DescService, FileRegistry } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { guidanceOf, type Operation } from '#contract/operation.ts';

const header = '// Written by `npm run proto` from the table in src/contract. Do not edit.';

/** The text of every file of our own, by its path. The rows give the comments of services' methods. */
export function protoTexts(registry: FileRegistry, rows: readonly Operation[]): ReadonlyMap<string, string> {
  const own = [...registry.files].filter((file) => !file.name.startsWith('google/'));
  return new Map(own.map((file) => [`${file.name}.proto`, fileText(file, rows)]));
}

function fileText(file: DescFile, rows: readonly Operation[]): string {
  const imports = file.proto.dependency.map((path) => `import "${path}";`);
  const blocks = [
    header,
    'syntax = "proto3";',
    `package ${file.proto.package};`,
    ...(imports.length === 0 ? [] : [imports.join('\n')]),
    ...file.services.map((service) => serviceText(service, rows)),
    ...file.messages.map(messageText),
    ...file.enums.map(enumText),
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
    return indented([...comments.map((line) => `// ${line}`), ...body]);
  });
  return `service ${service.name} {\n${methods.join('\n')}\n}`;
}

function messageText(message: DescMessage): string {
  if (message.fields.length === 0) return `message ${message.name} {}`;
  return `message ${message.name} {\n${indented(message.fields.map(fieldText))}\n}`;
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

function enumText(enumeration: DescEnum): string {
  const values = enumeration.values.map((value) => `${value.name} = ${value.number};`);
  return `enum ${enumeration.name} {\n${indented(values)}\n}`;
}

/** A type's name as its own package writes it. */
function near(typeName: string, from: string): string {
  return typeName.startsWith(`${from}.`) ? typeName.slice(from.length + 1) : typeName;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
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
