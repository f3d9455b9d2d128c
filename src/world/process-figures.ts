import { memoryUsage, resourceUsage, uptime } from 'node:process';

/** What this process takes of its machine: bytes of memory, seconds of processor time, and the seconds that it runs. */
export function processFigures(): { residentBytes: number; cpuSeconds: number; uptimeSeconds: number } {
  const { userCPUTime, systemCPUTime } = resourceUsage();
  return {
    residentBytes: memoryUsage.rss(),
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    uptimeSeconds: uptime(),
  };
}
