/** What the names of settings with the rules of workflows begin with. */
export const approvalsPrefix = 'approvals:';

/** The name of the setting with the rules of a workflow. */
export const approvalsSetting = (workflowId: string): string => `${approvalsPrefix}${workflowId}`;
