import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static int slowly(const char *name, int fd) {
  const char *held = getenv("MUSTER_TEST_SYNC_HELD"), *met = getenv("MUSTER_TEST_SYNC_MET"), *ms = getenv("MUSTER_TEST_SYNC_MS");
  if (ms) usleep(atoi(ms) * 1000);
  if (held && met && access(held, F_OK) == 0) close(open(met, O_CREAT | O_WRONLY, 0600));
  while (held && access(held, F_OK) == 0) usleep(2000);
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(fd);
}
int fsync(int fd) { return slowly("fsync", fd); }
int fdatasync(int fd) { return slowly("fdatasync", fd); }
`;

/** Syncs to the disk that can be held up, in the processes that are started with `environment`. */
export class SlowSync {
  readonly environment: Readonly<Record<string, string>>;
  readonly #held: string;
  readonly #met: string;

  private constructor(folder: string, library: string) {
    this.#held = join(folder, 'sync-held');
    this.#met = join(folder, 'sync-met');
    this.environment = {
      LD_PRELOAD: library,
      MUSTER_TEST_SYNC_HELD: this.#held,
      MUSTER_TEST_SYNC_MET: this.#met,
    };
  }

  /** Makes it within a folder; undefined if this machine has no C compiler. */
  static in(folder: string): SlowSync | undefined {
    const [code, library] = [join(folder, 'slow-sync.c'), join(folder, 'slow-sync.so')];
    writeFileSync(code, source);
    const { status } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, code, '-ldl']);
    return status === 0 ? new SlowSync(folder, library) : undefined;
  }

  /** From now on every sync hangs. */
  hold(): void {
    rmSync(this.#met, { force: true });
    writeFileSync(this.#held, '');
  }

  /** Whether one hangs, or has since it was held. */
  get isMet(): boolean {
    return existsSync(this.#met);
  }

  release(): void {
    rmSync(this.#held, { force: true });
  }
}
