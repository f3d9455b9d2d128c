# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from typing import AsyncGenerator, Generator

from ..aio import AsyncService
from ..blocking import Service
from . import budget as messages


class BudgetService(Service):
    """The operations of budget.v1.BudgetService. Watches resume from their cursor after a cut."""

    def continue_budget(self, request: messages.ContinueBudgetRequest, timeout: float = 30.0) -> messages.ContinueBudgetResponse:
        """Continues a budget that is used up: what is used up counts from 0 again, and its agents are
        released.

        The limits stay. This types nothing: mail and doorbells that waited are delivered. A budget
        with something left does not change."""
        return self._call("budget.v1.BudgetService/ContinueBudget", request, messages.ContinueBudgetResponse, timeout)

    def list_budgets(self, request: messages.ListBudgetsRequest, timeout: float = 30.0) -> messages.ListBudgetsResponse:
        """Lists budgets, and what is used of them today.

        agentId lists only those that its work counts to: its own, that of its workflow, and that of
        its schedule."""
        return self._call("budget.v1.BudgetService/ListBudgets", request, messages.ListBudgetsResponse, timeout)

    def set_budget(self, request: messages.SetBudgetRequest, timeout: float = 30.0) -> messages.SetBudgetResponse:
        """Limits what an agent, or all agents of a workflow or schedule, may use in a day.

        At 80 % people are notified. At 100 % of turns or of time at work, the agents are held:
        muster types nothing to them until a person continues or raises the budget. Nothing is
        interrupted or ended. At 100 % of launches, further ones are refused or wait. An omitted
        amount stays. Name an amount in clear to have no limit for it. Counting begins when a budget
        is set."""
        return self._call("budget.v1.BudgetService/SetBudget", request, messages.SetBudgetResponse, timeout)


class AsyncBudgetService(AsyncService):
    """The operations of budget.v1.BudgetService, for asyncio. Watches resume from their cursor after a cut."""

    async def continue_budget(self, request: messages.ContinueBudgetRequest, timeout: float = 30.0) -> messages.ContinueBudgetResponse:
        """Continues a budget that is used up: what is used up counts from 0 again, and its agents are
        released.

        The limits stay. This types nothing: mail and doorbells that waited are delivered. A budget
        with something left does not change."""
        return await self._call("budget.v1.BudgetService/ContinueBudget", request, messages.ContinueBudgetResponse, timeout)

    async def list_budgets(self, request: messages.ListBudgetsRequest, timeout: float = 30.0) -> messages.ListBudgetsResponse:
        """Lists budgets, and what is used of them today.

        agentId lists only those that its work counts to: its own, that of its workflow, and that of
        its schedule."""
        return await self._call("budget.v1.BudgetService/ListBudgets", request, messages.ListBudgetsResponse, timeout)

    async def set_budget(self, request: messages.SetBudgetRequest, timeout: float = 30.0) -> messages.SetBudgetResponse:
        """Limits what an agent, or all agents of a workflow or schedule, may use in a day.

        At 80 % people are notified. At 100 % of turns or of time at work, the agents are held:
        muster types nothing to them until a person continues or raises the budget. Nothing is
        interrupted or ended. At 100 % of launches, further ones are refused or wait. An omitted
        amount stays. Name an amount in clear to have no limit for it. Counting begins when a budget
        is set."""
        return await self._call("budget.v1.BudgetService/SetBudget", request, messages.SetBudgetResponse, timeout)
