import { create, type FileRegistry, type JsonObject, type JsonValue, toJson } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** The parts of a file that are written one per line, so that parallel additions merge. */
const listed = ['messageType', 'enumType', 'service'];

/**
 * The contract as protobuf descriptors in JSON: a schema for tools, and the base of comparison for later contracts.
 * Each declaration is on its own line.
 */
export function protoImage({ files }: FileRegistry): string {
  const set = create(FileDescriptorSetSchema, { file: [...files].map(({ proto }) => proto) });
  const { file = [] } = toJson(FileDescriptorSetSchema, set) as { file?: JsonObject[] };
  return `{"file":[\n${file.map(fileText).join(',\n')}\n]}\n`;
}

function fileText(file: JsonObject): string {
  // buf does not check files that are only imported.
  const imported = String(file['name']).startsWith('google/') ? { bufExtension: { isImport: true } } : {};
  const fields = Object.entries({ ...file, ...imported }).map(
    ([name, value]) => `${JSON.stringify(name)}:${valueText(name, value)}`,
  );
  return `{${fields.join(',\n')}}`;
}

function valueText(name: string, value: JsonValue): string {
  if (!Array.isArray(value) || !listed.includes(name)) return JSON.stringify(value);
  return `[\n${value.map((one) => JSON.stringify(one)).join(',\n')}\n]`;
}
