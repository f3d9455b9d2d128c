/** The used share from which a resource is reported as scarce. */
export const scarceFrom = 0.85;

/** How much of a resource is used. */
export interface Usage {
  readonly usedBytes: number;
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** The used part, from 0 to 1. */
  readonly share: number;
}

/** A host's load. What its system does not report is undefined. */
export interface LoadReading {
  /** `share` is the load per processor: 1 if all are busy, more if programs wait. */
  readonly processors: { readonly average: number; readonly count: number; readonly share: number } | undefined;
  readonly memory: Usage | undefined;
  readonly disk: Usage | undefined;
}

/** An integer: as digits in JSON, as a bigint or number in the generated client and on the bus. */
type Count = string | bigint | number | undefined;

/** A HostLoad, from JSON or the generated client, or a MachineLoad. */
interface WireLoad {
  readonly loadAverage1m?: number | undefined;
  readonly cpuCount?: number | undefined;
  readonly memoryUsedBytes?: Count;
  readonly memoryTotalBytes?: Count;
  readonly diskFreeBytes?: Count;
  readonly diskTotalBytes?: Count;
}

/** Reads a host's load. */
export function readLoad(load: WireLoad): LoadReading {
  const { loadAverage1m: average = 0, cpuCount: count = 0 } = load;
  const [used, memory, free, disk] = [
    load.memoryUsedBytes,
    load.memoryTotalBytes,
    load.diskFreeBytes,
    load.diskTotalBytes,
  ].map((value) => Number(value ?? 0)) as [number, number, number, number];
  return {
    processors: count > 0 ? { average, count, share: average / count } : undefined,
    memory: used > 0 ? usageOf(used, memory) : undefined,
    disk: usageOf(disk - free, disk),
  };
}

function usageOf(usedBytes: number, totalBytes: number): Usage | undefined {
  if (totalBytes <= 0) return undefined;
  return { usedBytes, totalBytes, freeBytes: totalBytes - usedBytes, share: usedBytes / totalBytes };
}

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** A number of bytes, rounded, such as `6.1 GiB` and `512 MiB`. */
export function byteText(bytes: number): string {
  let [amount, unit] = [bytes, 0];
  while (amount >= 999.5 && unit < units.length - 1) [amount, unit] = [amount / 1024, unit + 1];
  return `${unit === 0 || amount >= 99.95 ? Math.round(amount) : amount.toFixed(1)} ${units[unit]}`;
}

/** A share as a whole percentage, such as `39%`: `100%` only if nothing is left. */
export function percentText(share: number): string {
  return `${share < 1 ? Math.min(99, Math.round(share * 100)) : Math.round(share * 100)}%`;
}
