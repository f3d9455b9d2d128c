// A plugin of buf, for `npm run proto`: reads the descriptors that buf compiled from proto/ on standard input, and writes
// the generated modules of clients/python to standard output.
import { readFileSync } from 'node:fs';
import { create, createFileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponse_Feature,
  CodeGeneratorResponseSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { declaredTypes } from '#contract/parse/declared-type.ts';
import { operations, resources } from '#contract/table.ts';
import { pythonTexts } from './python-text.ts';

const { protoFile } = fromBinary(CodeGeneratorRequestSchema, readFileSync(0));
const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: protoFile }));
const texts = pythonTexts(registry, operations, declaredTypes(operations, resources));
const response = create(CodeGeneratorResponseSchema, {
  supportedFeatures: BigInt(CodeGeneratorResponse_Feature.PROTO3_OPTIONAL),
  file: [...texts].map(([name, content]) => ({ name, content })),
});
process.stdout.write(toBinary(CodeGeneratorResponseSchema, response));
