"""A client of every operation."""

from __future__ import annotations

from contextlib import aclosing, closing
from typing import List, Optional

from .api import agent
from .api.agent_service import AgentService, AsyncAgentService
from .api.fact_service import AsyncFactService, FactService
from .api.forge_service import AsyncForgeService, ForgeService
from .api.host_service import AsyncHostService, HostService
from .api.profile_service import AsyncProfileService, ProfileService
from .api.schedule_service import AsyncScheduleService, ScheduleService
from .api.session_service import AsyncSessionService, SessionService
from .api.workflow_service import AsyncWorkflowService, WorkflowService
from .environment import Address
from .resumption import OnLost


class Muster:
    """A client whose calls and watches block. Each method of a service is an operation of docs/reference."""

    def __init__(self, address: Address, on_lost: Optional[OnLost] = None) -> None:
        self.agents = AgentService(address, on_lost)
        self.facts = FactService(address, on_lost)
        self.forges = ForgeService(address, on_lost)
        self.hosts = HostService(address, on_lost)
        self.profiles = ProfileService(address, on_lost)
        self.schedules = ScheduleService(address, on_lost)
        self.sessions = SessionService(address, on_lost)
        self.workflows = WorkflowService(address, on_lost)

    def wait_for_agents(self, request: agent.WaitForAgentsRequest) -> List[agent.AwaitedAgent]:
        """Waits until agents finish a turn, end, fail, wait for a person or are gone, also across restarts of muster."""
        with closing(self.agents.wait_for_agents(request)) as answers:
            return next(answer.agents for answer in answers if answer.agents)

    def wait_for_doorbell(self, request: Optional[agent.WaitForDoorbellsRequest] = None) -> agent.Doorbell:
        """Waits until an agent's doorbell rings, and returns what raised it."""
        watch = self.agents.wait_for_doorbells(request or agent.WaitForDoorbellsRequest())
        with closing(watch) as answers:
            return next(answer.doorbells[0] for answer in answers if answer.doorbells)


class AsyncMuster:
    """A client for asyncio. Each method of a service is an operation of docs/reference."""

    def __init__(self, address: Address, on_lost: Optional[OnLost] = None) -> None:
        self.agents = AsyncAgentService(address, on_lost)
        self.facts = AsyncFactService(address, on_lost)
        self.forges = AsyncForgeService(address, on_lost)
        self.hosts = AsyncHostService(address, on_lost)
        self.profiles = AsyncProfileService(address, on_lost)
        self.schedules = AsyncScheduleService(address, on_lost)
        self.sessions = AsyncSessionService(address, on_lost)
        self.workflows = AsyncWorkflowService(address, on_lost)

    async def wait_for_agents(self, request: agent.WaitForAgentsRequest) -> List[agent.AwaitedAgent]:
        """Waits until agents finish a turn, end, fail, wait for a person or are gone, also across restarts of muster."""
        async with aclosing(self.agents.wait_for_agents(request)) as answers:
            async for answer in answers:
                if answer.agents:
                    return answer.agents
        raise AssertionError("a watch has no end")

    async def wait_for_doorbell(self, request: Optional[agent.WaitForDoorbellsRequest] = None) -> agent.Doorbell:
        """Waits until an agent's doorbell rings, and returns what raised it."""
        watch = self.agents.wait_for_doorbells(request or agent.WaitForDoorbellsRequest())
        async with aclosing(watch) as answers:
            async for answer in answers:
                if answer.doorbells:
                    return answer.doorbells[0]
        raise AssertionError("a watch has no end")
