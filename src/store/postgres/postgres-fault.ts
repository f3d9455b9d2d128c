export function codeOf(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause as Error) {
    if ('code' in one && typeof one.code === 'string') return one.code;
  }
  return '';
}
export function isContended(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error));
}
export function asPostgresFailure(error: unknown): unknown {
  return error;
}
export function kindOfFault(error: unknown): string | undefined {
  return undefined;
}
