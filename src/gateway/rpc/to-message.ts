import { type DescMessage, fromJson, type JsonObject, type MessageShape } from '@bufbuild/protobuf';

/** An answer of the registry as a message; fields of a newer registry are left out. */
export function toMessage(output: DescMessage, answer: JsonObject): MessageShape<DescMessage> {
  return fromJson(output, answer, { ignoreUnknownFields: true });
}
