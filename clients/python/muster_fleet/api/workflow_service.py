# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from typing import AsyncGenerator, Generator

from ..aio import AsyncService
from ..blocking import Service
from . import workflow as messages


class WorkflowService(Service):
    """The operations of workflow.v1.WorkflowService. Watches resume from their cursor after a cut."""

    def allow_connections(self, request: messages.AllowConnectionsRequest, timeout: float = 30.0) -> messages.AllowConnectionsResponse:
        """Lets the isolated agents of a workflow connect to more hosts, at once and in future.

        Adds to the grants of the workflow. Ports of the agents’ own host, such as 127.0.0.1:5432,
        count from the next window on."""
        return self._call("workflow.v1.WorkflowService/AllowConnections", request, messages.AllowConnectionsResponse, timeout)

    def confirm_repository(self, request: messages.ConfirmRepositoryRequest, timeout: float = 30.0) -> messages.ConfirmRepositoryResponse:
        """Lets muster read the pull requests of a repository for the agents of a workflow.

        The remotes that cwd has when the workflow is created are already confirmed. An agent may
        have pointed its checkout to any other repository, so a person decides whether the agents
        may see what the forge’s credential can see there."""
        return self._call("workflow.v1.WorkflowService/ConfirmRepository", request, messages.ConfirmRepositoryResponse, timeout)

    def create_workflow(self, request: messages.CreateWorkflowRequest, timeout: float = 30.0) -> messages.CreateWorkflowResponse:
        """Creates a workflow: where agents run, with which CLI, and how their briefing begins.

        name and cwd are required. Names are unique: a taken one is refused as already_exists."""
        return self._call("workflow.v1.WorkflowService/CreateWorkflow", request, messages.CreateWorkflowResponse, timeout)

    def delete_workflow(self, request: messages.DeleteWorkflowRequest, timeout: float = 30.0) -> messages.DeleteWorkflowResponse:
        """Deletes a workflow that has no agents.

        failed_precondition while it has agents, even archived ones: delete those first."""
        return self._call("workflow.v1.WorkflowService/DeleteWorkflow", request, messages.DeleteWorkflowResponse, timeout)

    def get_workflow(self, request: messages.GetWorkflowRequest, timeout: float = 30.0) -> messages.GetWorkflowResponse:
        """Returns one workflow.

        list_workflows shows the ids."""
        return self._call("workflow.v1.WorkflowService/GetWorkflow", request, messages.GetWorkflowResponse, timeout)

    def list_workflows(self, request: messages.ListWorkflowsRequest, timeout: float = 30.0) -> messages.ListWorkflowsResponse:
        """Lists workflows, most recently updated first.

        create_agent takes one of these ids as workflowId."""
        return self._call("workflow.v1.WorkflowService/ListWorkflows", request, messages.ListWorkflowsResponse, timeout)

    def update_workflow(self, request: messages.UpdateWorkflowRequest, timeout: float = 30.0) -> messages.UpdateWorkflowResponse:
        """Changes the fields of a workflow that the request names. Agents already launched keep their
        settings.

        An omitted field stays. Name a field in clear to empty it."""
        return self._call("workflow.v1.WorkflowService/UpdateWorkflow", request, messages.UpdateWorkflowResponse, timeout)

    def withdraw_repository(self, request: messages.WithdrawRepositoryRequest, timeout: float = 30.0) -> messages.WithdrawRepositoryResponse:
        """Stops reading and showing the pull requests of a repository for the agents of a workflow.

        Stored pull requests stay, and only people see them. not_found: it was not confirmed."""
        return self._call("workflow.v1.WorkflowService/WithdrawRepository", request, messages.WithdrawRepositoryResponse, timeout)

    def get_workflow_trial(self, request: messages.GetWorkflowTrialRequest, timeout: float = 30.0) -> messages.GetWorkflowTrialResponse:
        """Returns a trial of a setup script with its output after a cursor, waiting up to two seconds
        for output.

        Call it again at once with the cursor of the answer until state says that it has ended. If
        nobody calls for 15 seconds, the trial is stopped. A host keeps its last 20 trials."""
        return self._call("workflow.v1.WorkflowService/GetWorkflowTrial", request, messages.GetWorkflowTrialResponse, timeout)

    def stop_workflow_trial(self, request: messages.StopWorkflowTrialRequest, timeout: float = 30.0) -> messages.StopWorkflowTrialResponse:
        """Stops a trial of a setup script and removes its worktree.

        A trial that has ended does not change."""
        return self._call("workflow.v1.WorkflowService/StopWorkflowTrial", request, messages.StopWorkflowTrialResponse, timeout)

    def try_workflow(self, request: messages.TryWorkflowRequest, timeout: float = 30.0) -> messages.TryWorkflowResponse:
        """Runs a workflow’s setup script in a worktree that is removed afterwards, without launching
        an agent.

        It runs as in a launch, with the same files, variables and time limit, but without an
        agent’s token. get_workflow_trial returns its output; if nobody calls that for 15 seconds,
        the trial ends. failed_precondition if there is no setup script, or if agents of the
        workflow get no worktree."""
        return self._call("workflow.v1.WorkflowService/TryWorkflow", request, messages.TryWorkflowResponse, timeout)


class AsyncWorkflowService(AsyncService):
    """The operations of workflow.v1.WorkflowService, for asyncio. Watches resume from their cursor after a cut."""

    async def allow_connections(self, request: messages.AllowConnectionsRequest, timeout: float = 30.0) -> messages.AllowConnectionsResponse:
        """Lets the isolated agents of a workflow connect to more hosts, at once and in future.

        Adds to the grants of the workflow. Ports of the agents’ own host, such as 127.0.0.1:5432,
        count from the next window on."""
        return await self._call("workflow.v1.WorkflowService/AllowConnections", request, messages.AllowConnectionsResponse, timeout)

    async def confirm_repository(self, request: messages.ConfirmRepositoryRequest, timeout: float = 30.0) -> messages.ConfirmRepositoryResponse:
        """Lets muster read the pull requests of a repository for the agents of a workflow.

        The remotes that cwd has when the workflow is created are already confirmed. An agent may
        have pointed its checkout to any other repository, so a person decides whether the agents
        may see what the forge’s credential can see there."""
        return await self._call("workflow.v1.WorkflowService/ConfirmRepository", request, messages.ConfirmRepositoryResponse, timeout)

    async def create_workflow(self, request: messages.CreateWorkflowRequest, timeout: float = 30.0) -> messages.CreateWorkflowResponse:
        """Creates a workflow: where agents run, with which CLI, and how their briefing begins.

        name and cwd are required. Names are unique: a taken one is refused as already_exists."""
        return await self._call("workflow.v1.WorkflowService/CreateWorkflow", request, messages.CreateWorkflowResponse, timeout)

    async def delete_workflow(self, request: messages.DeleteWorkflowRequest, timeout: float = 30.0) -> messages.DeleteWorkflowResponse:
        """Deletes a workflow that has no agents.

        failed_precondition while it has agents, even archived ones: delete those first."""
        return await self._call("workflow.v1.WorkflowService/DeleteWorkflow", request, messages.DeleteWorkflowResponse, timeout)

    async def get_workflow(self, request: messages.GetWorkflowRequest, timeout: float = 30.0) -> messages.GetWorkflowResponse:
        """Returns one workflow.

        list_workflows shows the ids."""
        return await self._call("workflow.v1.WorkflowService/GetWorkflow", request, messages.GetWorkflowResponse, timeout)

    async def list_workflows(self, request: messages.ListWorkflowsRequest, timeout: float = 30.0) -> messages.ListWorkflowsResponse:
        """Lists workflows, most recently updated first.

        create_agent takes one of these ids as workflowId."""
        return await self._call("workflow.v1.WorkflowService/ListWorkflows", request, messages.ListWorkflowsResponse, timeout)

    async def update_workflow(self, request: messages.UpdateWorkflowRequest, timeout: float = 30.0) -> messages.UpdateWorkflowResponse:
        """Changes the fields of a workflow that the request names. Agents already launched keep their
        settings.

        An omitted field stays. Name a field in clear to empty it."""
        return await self._call("workflow.v1.WorkflowService/UpdateWorkflow", request, messages.UpdateWorkflowResponse, timeout)

    async def withdraw_repository(self, request: messages.WithdrawRepositoryRequest, timeout: float = 30.0) -> messages.WithdrawRepositoryResponse:
        """Stops reading and showing the pull requests of a repository for the agents of a workflow.

        Stored pull requests stay, and only people see them. not_found: it was not confirmed."""
        return await self._call("workflow.v1.WorkflowService/WithdrawRepository", request, messages.WithdrawRepositoryResponse, timeout)

    async def get_workflow_trial(self, request: messages.GetWorkflowTrialRequest, timeout: float = 30.0) -> messages.GetWorkflowTrialResponse:
        """Returns a trial of a setup script with its output after a cursor, waiting up to two seconds
        for output.

        Call it again at once with the cursor of the answer until state says that it has ended. If
        nobody calls for 15 seconds, the trial is stopped. A host keeps its last 20 trials."""
        return await self._call("workflow.v1.WorkflowService/GetWorkflowTrial", request, messages.GetWorkflowTrialResponse, timeout)

    async def stop_workflow_trial(self, request: messages.StopWorkflowTrialRequest, timeout: float = 30.0) -> messages.StopWorkflowTrialResponse:
        """Stops a trial of a setup script and removes its worktree.

        A trial that has ended does not change."""
        return await self._call("workflow.v1.WorkflowService/StopWorkflowTrial", request, messages.StopWorkflowTrialResponse, timeout)

    async def try_workflow(self, request: messages.TryWorkflowRequest, timeout: float = 30.0) -> messages.TryWorkflowResponse:
        """Runs a workflow’s setup script in a worktree that is removed afterwards, without launching
        an agent.

        It runs as in a launch, with the same files, variables and time limit, but without an
        agent’s token. get_workflow_trial returns its output; if nobody calls that for 15 seconds,
        the trial ends. failed_precondition if there is no setup script, or if agents of the
        workflow get no worktree."""
        return await self._call("workflow.v1.WorkflowService/TryWorkflow", request, messages.TryWorkflowResponse, timeout)
