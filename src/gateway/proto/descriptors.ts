import { create, createFileRegistry, type DescMethod, type FileRegistry } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type EnumDescriptorProto,
  EnumDescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  file_google_protobuf_timestamp,
  type MethodDescriptorProto,
  MethodDescriptorProtoSchema,
  MethodOptions_IdempotencyLevel,
  ServiceDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import type { z } from 'zod';
import { messageMeta } from '#contract/message.ts';
import type { Operation } from '#contract/operation.ts';
import { type FieldType, fieldType } from './field-type.ts';

const scalarTypes = {
  string: FieldDescriptorProto_Type.STRING,
  bool: FieldDescriptorProto_Type.BOOL,
  int32: FieldDescriptorProto_Type.INT32,
  int64: FieldDescriptorProto_Type.INT64,
  double: FieldDescriptorProto_Type.DOUBLE,
} as const;
const timestampFile = file_google_protobuf_timestamp.proto;

/** The descriptors for reading and writing messages. */
export interface Descriptors {
  /** The contract, for all requests and binary answers. */
  readonly contract: FileRegistry;
  /**
   * The contract for JSON answers, with timestamps as strings, which are passed on from the registry, always with
   * milliseconds. Protobuf's own JSON would drop a fraction of zero.
   */
  readonly jsonAnswers: FileRegistry;
}

/**
 * Both descriptors of a table.
 * @throws Error like `describeTable`
 */
export function describeWires(rows: readonly Operation[], resources: readonly z.ZodObject[]): Descriptors {
  return { contract: describeTable(rows, resources), jsonAnswers: describeTable(rows, resources, 'string') };
}

/**
 * The protobuf descriptors of the operations and of further resources: one file per package, at
 * `<package as folders>/<its first word>.proto`.
 * @throws Error when the table is inconsistent: duplicate names or field numbers, packages that import each other
 */
export function describeTable(
  rows: readonly Operation[],
  resources: readonly z.ZodObject[],
  timestamps: 'message' | 'string' = 'message',
): FileRegistry {
  const drafts = new Drafts(timestamps);
  for (const row of rows) drafts.addOperation(row);
  for (const resource of resources) drafts.addMessage(resource);
  const file = inOrder(drafts.files());
  return createFileRegistry(create(FileDescriptorSetSchema, { file: [timestampFile, ...file] }));
}

/** The method of an operation in its descriptors. */
export function methodOf(registry: FileRegistry, row: Operation): DescMethod {
  const service = registry.getService(`${row.package}.${row.service}`);
  const method = service?.methods.find((one) => one.name === row.method);
  if (method === undefined) throw new Error(`${row.package}.${row.service}/${row.method} has no descriptor`);
  return method;
}

/** A field's name in protobuf: `old_start` for `oldStart`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function packageOf(fullName: string): string {
  return fullName.slice(0, fullName.lastIndexOf('.'));
}

function shortName(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf('.') + 1);
}

/** The path of a package's file: `agent/v1/agent.proto` for `agent.v1`. */
function pathOf(name: string): string {
  const words = name.split('.');
  return `${words.join('/')}/${words[0]}.proto`;
}

/** Collects the files while the table is read. */
class Drafts {
  readonly #files = new Map<string, FileDescriptorProto>();
  readonly #messages = new Map<string, z.ZodObject>();
  readonly #enumerations = new Map<string, string>();
  readonly #timestamps: 'message' | 'string';

  constructor(timestamps: 'message' | 'string') {
    this.#timestamps = timestamps;
  }

  files(): FileDescriptorProto[] {
    return [...this.#files.values()];
  }

  addOperation(row: Operation): void {
    const file = this.#file(row.package);
    let service = file.service.find((one) => one.name === row.service);
    if (service === undefined) {
      service = create(ServiceDescriptorProtoSchema, { name: row.service });
      file.service.push(service);
    }
    if (service.method.some((method) => method.name === row.method)) {
      throw new Error(`${row.package}.${row.service}/${row.method} is in the table twice`);
    }
    service.method.push(this.#method(row));
  }

  addMessage(schema: z.ZodType): string {
    const meta = messageMeta(schema);
    if (meta === undefined) throw new Error('Only a schema made by message() can be described');
    const { fullName, numbers } = meta;
    const known = this.#messages.get(fullName);
    if (known === schema) return fullName;
    if (known !== undefined) throw new Error(`${fullName} is declared twice`);
    const object = schema as z.ZodObject;
    this.#messages.set(fullName, object);
    const message = create(DescriptorProtoSchema, { name: shortName(fullName) });
    this.#file(packageOf(fullName)).messageType.push(message);
    for (const [name, field] of Object.entries(object.shape)) {
      this.#addField(message, fullName, name, numbers[name] ?? 0, fieldType(field as z.ZodType, `${fullName}.${name}`));
    }
    return fullName;
  }

  #file(name: string): FileDescriptorProto {
    let file = this.#files.get(name);
    if (file === undefined) {
      file = create(FileDescriptorProtoSchema, { name: pathOf(name), package: name, syntax: 'proto3' });
      this.#files.set(name, file);
    }
    return file;
  }

  #method(row: Operation): MethodDescriptorProto {
    const level = MethodOptions_IdempotencyLevel;
    const idempotencyLevel =
      row.access === 'read' ? level.NO_SIDE_EFFECTS : row.idempotent ? level.IDEMPOTENT : undefined;
    const input = this.#reference(row.package, this.addMessage(row.request));
    const output = this.#reference(row.package, this.addMessage(row.response));
    return create(MethodDescriptorProtoSchema, {
      name: row.method,
      inputType: input,
      outputType: output,
      ...(row.watch === undefined ? {} : { serverStreaming: true }),
      ...(idempotencyLevel === undefined ? {} : { options: { idempotencyLevel } }),
    });
  }

  #addField(message: DescriptorProto, owner: string, name: string, number: number, type: FieldType): void {
    if (message.field.some((other) => other.number === number)) {
      throw new Error(`${owner}.${name}: the field number ${number} is taken`);
    }
    const field: FieldDescriptorProto = create(FieldDescriptorProtoSchema, {
      name: snakeCase(name),
      jsonName: name,
      number,
      label: type.repeated ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL,
      ...this.#typeOf(packageOf(owner), type),
    });
    if (type.explicitPresence) {
      field.proto3Optional = true;
      field.oneofIndex = message.oneofDecl.length;
      message.oneofDecl.push({ $typeName: 'google.protobuf.OneofDescriptorProto', name: `_${field.name}` });
    }
    message.field.push(field);
  }

  #typeOf(from: string, type: FieldType): { type: FieldDescriptorProto_Type; typeName?: string } {
    switch (type.kind) {
      case 'scalar':
        return { type: scalarTypes[type.scalar] };
      case 'timestamp':
        if (this.#timestamps === 'string') return { type: scalarTypes.string };
        this.#import(from, timestampFile.name);
        return { type: FieldDescriptorProto_Type.MESSAGE, typeName: '.google.protobuf.Timestamp' };
      case 'enum':
        this.#addEnumeration(type.fullName, type.values);
        return { type: FieldDescriptorProto_Type.ENUM, typeName: this.#reference(from, type.fullName) };
      case 'message':
        this.addMessage(type.schema);
        return { type: FieldDescriptorProto_Type.MESSAGE, typeName: this.#reference(from, type.fullName) };
    }
  }

  #addEnumeration(fullName: string, values: readonly string[]): void {
    const known = this.#enumerations.get(fullName);
    if (known === values.join()) return;
    if (known !== undefined) throw new Error(`${fullName} is declared twice`);
    this.#enumerations.set(fullName, values.join());
    const enumeration: EnumDescriptorProto = create(EnumDescriptorProtoSchema, {
      name: shortName(fullName),
      value: values.map((name, number) => ({ name, number })),
    });
    this.#file(packageOf(fullName)).enumType.push(enumeration);
  }

  /** A type's name for another file, and adds the import there. */
  #reference(from: string, fullName: string): string {
    const to = packageOf(fullName);
    if (to !== from) this.#import(from, pathOf(to));
    return `.${fullName}`;
  }

  #import(from: string, path: string): void {
    const { dependency } = this.#file(from);
    if (!dependency.includes(path)) dependency.push(path);
  }
}

/** Sorts the files so that each follows those that it imports. */
function inOrder(files: readonly FileDescriptorProto[]): FileDescriptorProto[] {
  const ordered: FileDescriptorProto[] = [];
  const place = (file: FileDescriptorProto, importers: readonly string[]): void => {
    if (importers.includes(file.name)) {
      throw new Error(`Packages cannot need each other: ${[...importers, file.name].join(' → ')}`);
    }
    if (ordered.includes(file)) return;
    file.dependency.sort();
    for (const path of file.dependency) {
      const needed = files.find((one) => one.name === path);
      if (needed !== undefined) place(needed, [...importers, file.name]);
    }
    ordered.push(file);
  };
  for (const file of files) place(file, []);
  return ordered;
}
