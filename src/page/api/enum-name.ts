import type { DescEnum } from '@bufbuild/protobuf';

/** The contract's name of an enumeration value; empty for a value that only a newer service knows. */
export function enumName(schema: DescEnum, value: number): string {
  return schema.value[value]?.name ?? '';
}
