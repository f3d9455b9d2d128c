import { Ajv2020 } from 'ajv/dist/2020.js';

/** Properties that may be absent, by name; nothing else may be there. */
export function object(properties: Readonly<Record<string, object>>, required: readonly string[] = []): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

export const string = { type: 'string' };
export const integer = { type: 'integer' };
export const boolean = { type: 'boolean' };
export const time = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$',
};

export function list(items: object): object {
  return { type: 'array', items };
}

export function nullable(schema: object): object {
  return { anyOf: [schema, { type: 'null' }] };
}

/** Holds documents to a schema: gives them back, and throws an error that names what is wrong in them. */
export function holdTo<Document>(schema: object): (document: Document) => Document {
  const ajv = new Ajv2020({ strict: true });
  const validate = ajv.compile(schema);
  return (document) => {
    if (validate(document)) return document;
    throw new Error(`the stand-in told what the forge does not: ${ajv.errorsText(validate.errors)}`);
  };
}
