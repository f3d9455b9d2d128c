import { type DescMessage, fromJson, type JsonObject, type MessageShape } from '@bufbuild/protobuf';

/** The registry's answer as a message. Unknown fields of a newer registry are ignored. */
export function toMessage(output: DescMessage, answer: JsonObject): MessageShape<DescMessage> {
  return fromJson(output, answer, { ignoreUnknownFields: true });
}
