import { Failure } from '#contract/failure.ts';

/** An error in Connect's JSON. Its details are messages in base64. */
export interface ConnectErrorJson {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
}

/** Reads a failure from Connect's JSON. The decoder of details is loaded only here, because few calls need it. */
export async function refusalIn(error: ConnectErrorJson): Promise<Failure> {
  const { code, message } = Failure.fromJSON(error);
  if (!Array.isArray(error.details)) return Failure.fromJSON(error);
  const { failureWith } = await import('#contract/details/failure-details.ts');
  const details = error.details
    .filter(isDetail)
    .map(({ type, value }) => ({ type, value: Buffer.from(value, 'base64') }));
  return failureWith({ code, message, details });
}

function isDetail(value: unknown): value is { readonly type: string; readonly value: string } {
  if (typeof value !== 'object' || value === null || !('type' in value && 'value' in value)) return false;
  return typeof value.type === 'string' && typeof value.value === 'string';
}
