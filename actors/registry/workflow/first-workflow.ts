import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { Tables } from '#store/store.ts';
import { bareWorkflow } from '#store/workflow/bare-workflow.ts';
import { remoteWebUrls } from '#world/git/remote/push-address.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { insertWorkflow } from './write-workflow.ts';

const setting = 'first-workflow';

/**
 * Creates the workflow `default` for the working directory of the registry, with the first built-in harness that a host
 * has; once per installation.
 */
export async function makeFirstWorkflow(
  tables: Tables,
  { ids, clock, harnesses }: Pick<KernelScope, 'ids' | 'clock' | 'harnesses'>,
  { startedIn, found }: { readonly startedIn: string; readonly found: readonly string[] },
): Promise<void> {
  if ((await tables.settings.get(setting)) !== undefined) return;
  const harness = found.find((name) => name !== 'shell' && harnesses.find(name) !== undefined) ?? 'shell';
  const [id, now] = [ids.id('wfl'), clock.now()];
  await tables.settings.insert(setting, id);
  if ((await tables.workflows.page(undefined, 1)).length > 0) return;
  const repository = await findGitDirectory(startedIn);
  const repositories = repository === undefined ? [] : await remoteWebUrls(repository.commonDir);
  const fields = bareWorkflow({ name: 'default', cwd: startedIn, harness }, repositories);
  await insertWorkflow(tables, { ...fields, id, createdAt: now, updatedAt: now });
}
