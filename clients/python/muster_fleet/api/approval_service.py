# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from typing import AsyncGenerator, Generator

from ..aio import AsyncService
from ..blocking import Service
from . import approval as messages


class ApprovalService(Service):
    """The operations of approval.v1.ApprovalService. Watches resume from their cursor after a cut."""

    def add_approval(self, request: messages.AddApprovalRequest, timeout: float = 30.0) -> messages.AddApprovalResponse:
        """Adds a rule after the others of a workflow.

        As set_approvals. Adding a rule that is there already changes nothing."""
        return self._call("approval.v1.ApprovalService/AddApproval", request, messages.AddApprovalResponse, timeout)

    def get_approvals(self, request: messages.GetApprovalsRequest, timeout: float = 30.0) -> messages.GetApprovalsResponse:
        """Returns the rules by which questions of a workflow’s agents are answered, and whether rules
        are in force.

        Without workflowId: only whether rules are in force."""
        return self._call("approval.v1.ApprovalService/GetApprovals", request, messages.GetApprovalsResponse, timeout)

    def set_approvals(self, request: messages.SetApprovalsRequest, timeout: float = 30.0) -> messages.SetApprovalsResponse:
        """Replaces the rules by which questions of a workflow’s agents are answered.

        A rule that refuses counts before all others; of the others the first that matches. What no
        rule matches is left to a person. They apply at once, also to agents that these agents
        launch. Agents neither see nor set rules."""
        return self._call("approval.v1.ApprovalService/SetApprovals", request, messages.SetApprovalsResponse, timeout)

    def switch_approvals(self, request: messages.SwitchApprovalsRequest, timeout: float = 30.0) -> messages.SwitchApprovalsResponse:
        """Puts the rules of all workflows out of force or in force again, on every host.

        Once the answer is there, no rule answers anything any more: what was being answered has
        ended. It lasts until it is called again, also after restarts."""
        return self._call("approval.v1.ApprovalService/SwitchApprovals", request, messages.SwitchApprovalsResponse, timeout)

    def test_approvals(self, request: messages.TestApprovalsRequest, timeout: float = 30.0) -> messages.TestApprovalsResponse:
        """Says what rules would do with a question, without answering it, and which rule would agree
        to it.

        The question is the one on an agent’s screen now, or on a recorded screen. A recorded screen
        has no folder, so no rule about files agrees to it."""
        return self._call("approval.v1.ApprovalService/TestApprovals", request, messages.TestApprovalsResponse, timeout)


class AsyncApprovalService(AsyncService):
    """The operations of approval.v1.ApprovalService, for asyncio. Watches resume from their cursor after a cut."""

    async def add_approval(self, request: messages.AddApprovalRequest, timeout: float = 30.0) -> messages.AddApprovalResponse:
        """Adds a rule after the others of a workflow.

        As set_approvals. Adding a rule that is there already changes nothing."""
        return await self._call("approval.v1.ApprovalService/AddApproval", request, messages.AddApprovalResponse, timeout)

    async def get_approvals(self, request: messages.GetApprovalsRequest, timeout: float = 30.0) -> messages.GetApprovalsResponse:
        """Returns the rules by which questions of a workflow’s agents are answered, and whether rules
        are in force.

        Without workflowId: only whether rules are in force."""
        return await self._call("approval.v1.ApprovalService/GetApprovals", request, messages.GetApprovalsResponse, timeout)

    async def set_approvals(self, request: messages.SetApprovalsRequest, timeout: float = 30.0) -> messages.SetApprovalsResponse:
        """Replaces the rules by which questions of a workflow’s agents are answered.

        A rule that refuses counts before all others; of the others the first that matches. What no
        rule matches is left to a person. They apply at once, also to agents that these agents
        launch. Agents neither see nor set rules."""
        return await self._call("approval.v1.ApprovalService/SetApprovals", request, messages.SetApprovalsResponse, timeout)

    async def switch_approvals(self, request: messages.SwitchApprovalsRequest, timeout: float = 30.0) -> messages.SwitchApprovalsResponse:
        """Puts the rules of all workflows out of force or in force again, on every host.

        Once the answer is there, no rule answers anything any more: what was being answered has
        ended. It lasts until it is called again, also after restarts."""
        return await self._call("approval.v1.ApprovalService/SwitchApprovals", request, messages.SwitchApprovalsResponse, timeout)

    async def test_approvals(self, request: messages.TestApprovalsRequest, timeout: float = 30.0) -> messages.TestApprovalsResponse:
        """Says what rules would do with a question, without answering it, and which rule would agree
        to it.

        The question is the one on an agent’s screen now, or on a recorded screen. A recorded screen
        has no folder, so no rule about files agrees to it."""
        return await self._call("approval.v1.ApprovalService/TestApprovals", request, messages.TestApprovalsResponse, timeout)
