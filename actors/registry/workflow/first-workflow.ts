import { isNewHost } from '#actors/registry/host/new-hosts.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { Tables } from '#store/tables.ts';
import { bareWorkflow, emptyWorkflow } from '#store/workflow/bare-workflow.ts';
import { remoteWebUrls } from '#world/git/remote/push-address.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { isolationOfNew, type NewIsolation } from './default-isolation.ts';
import type { WorkflowScope } from './workflow-scope.ts';
import { insertWorkflow } from './write-workflow.ts';

const setting = 'first-workflow';

type FirstScope = Pick<WorkflowScope, 'store' | 'lines' | 'ids' | 'clock' | 'harnesses' | 'isolationSetting'>;

/**
 * The workflow `default`, which is created once per installation: for the working directory of the registry, with the
 * first built-in harness that its first host has, and isolated if that works there.
 */
export class FirstWorkflow {
  readonly #scope: FirstScope;
  readonly #startedIn: string;
  #isMade = false;

  constructor(scope: FirstScope, startedIn: string) {
    this.#scope = scope;
    this.#startedIn = startedIn;
  }

  /** Creates it when the first host has reported. */
  async ensure(host: StoredHost): Promise<void> {
    if (this.#isMade || isNewHost(host)) return;
    const { store } = this.#scope;
    const isOpen = await store.read(async ({ settings }) => (await settings.get(setting)) === undefined);
    if (isOpen) {
      const found = await isolationOfNew(
        this.#scope,
        { ...emptyWorkflow, cwd: this.#startedIn, harness: this.#harnessOf(host) },
        [host],
      );
      await store.write((tables) => this.#make(tables, host, found));
    }
    this.#isMade = true;
  }

  /** The first built-in coding agent that a host has, or the shell. */
  #harnessOf({ harnesses: found }: StoredHost): string {
    const { harnesses } = this.#scope;
    return found.find((name) => name !== 'shell' && harnesses.find(name) !== undefined) ?? 'shell';
  }

  async #make(tables: Tables, host: StoredHost, { isolation }: NewIsolation): Promise<void> {
    if ((await tables.settings.get(setting)) !== undefined) return;
    const { ids, clock } = this.#scope;
    const cwd = this.#startedIn;
    const harness = this.#harnessOf(host);
    const [id, now] = [ids.id('wfl'), clock.now()];
    await tables.settings.insert(setting, id);
    if ((await tables.workflows.page(undefined, 1)).length > 0) return;
    const repository = await findGitDirectory(cwd);
    const repositories = repository === undefined ? [] : await remoteWebUrls(repository.commonDir);
    const fields = bareWorkflow({ name: 'default', cwd, harness }, repositories);
    await insertWorkflow(tables, { ...fields, isolation, id, createdAt: now, updatedAt: now });
  }
}
