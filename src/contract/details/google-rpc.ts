import { createFileRegistry, type DescMessage, fromJson } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';

const text = (name: string, number: number) => ({
  name,
  jsonName: name,
  number,
  type: 'TYPE_STRING',
  label: 'LABEL_OPTIONAL',
});
const list = (name: string, jsonName: string, number: number, typeName: string) => ({
  name,
  jsonName,
  number,
  type: 'TYPE_MESSAGE',
  label: 'LABEL_REPEATED',
  typeName,
});

/** The two messages of google/rpc/error_details.proto that failures carry, with the original names and numbers. */
const file = fromJson(FileDescriptorProtoSchema, {
  name: 'google/rpc/error_details.proto',
  package: 'google.rpc',
  syntax: 'proto3',
  messageType: [
    {
      name: 'ErrorInfo',
      field: [
        text('reason', 1),
        text('domain', 2),
        list('metadata', 'metadata', 3, '.google.rpc.ErrorInfo.MetadataEntry'),
      ],
      nestedType: [{ name: 'MetadataEntry', field: [text('key', 1), text('value', 2)], options: { mapEntry: true } }],
    },
    {
      name: 'BadRequest',
      field: [list('field_violations', 'fieldViolations', 1, '.google.rpc.BadRequest.FieldViolation')],
      nestedType: [{ name: 'FieldViolation', field: [text('field', 1), text('description', 2)] }],
    },
  ],
});
const registry = createFileRegistry(file, () => undefined);

/** Why a call failed: `reason`, `domain` and `metadata`. */
export const ErrorInfo = messageNamed('google.rpc.ErrorInfo');
/** Which fields of the request are at fault: `field_violations`, each with `field` and `description`. */
export const BadRequest = messageNamed('google.rpc.BadRequest');

function messageNamed(name: string): DescMessage {
  const found = registry.getMessage(name);
  if (found === undefined) throw new Error(`${name} has no descriptor`);
  return found;
}
