import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { IsolationSetting } from '#contract/process-context.ts';

/** The dependencies of the workflow module. */
export interface WorkflowScope extends KernelScope {
  /** What isolates agents of new workflows, if a person has set it; undefined for what the installation began with. */
  readonly isolationSetting: IsolationSetting | undefined;
}
