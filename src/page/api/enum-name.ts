import type { DescEnum } from '@bufbuild/protobuf';

/** The name that the contract gives a value of an enumeration; empty for one that only a newer service knows. */
export function enumName(schema: DescEnum, value: number): string {
  return schema.value[value]?.name ?? '';
}
