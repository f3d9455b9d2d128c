/** How a request encodes its message, by its content type. */
export interface Wire {
  readonly json: boolean;
  /** Whether the message has an envelope: one byte of flags and four of length (Connect streams, gRPC, gRPC-Web). */
  readonly enveloped: boolean;
  /** The header that names the message's compression. */
  readonly encodingHeader: string;
}

const kinds = [
  { type: /^application\/(json|proto)$/i, enveloped: false, encodingHeader: 'content-encoding' },
  { type: /^application\/connect\+(json|proto)$/i, enveloped: true, encodingHeader: 'connect-content-encoding' },
  { type: /^application\/grpc(?:-web)?(?:\+(json|proto))?$/i, enveloped: true, encodingHeader: 'grpc-encoding' },
] as const;

/** Parses a content type; undefined if no operation accepts it. */
export function parseWire(contentType: string | null | undefined): Wire | undefined {
  const essence = (contentType ?? '').replace(/; ?charset=utf-?8$/i, '');
  for (const { type, enveloped, encodingHeader } of kinds) {
    const match = type.exec(essence);
    if (match !== null) return { json: match[1]?.toLowerCase() === 'json', enveloped, encodingHeader };
  }
  return undefined;
}
