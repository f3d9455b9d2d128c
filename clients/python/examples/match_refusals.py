"""Matches the reason of a refusal, never its words; blocking and with asyncio."""

import asyncio

from muster_fleet import AsyncMuster, Muster, MusterError, Reason, from_environment
from muster_fleet.api import agent

address = from_environment()
try:
    Muster(address).agents.get_agent(agent.GetAgentRequest(agent_id="no-such-agent"))
except MusterError as error:
    if not error.is_for(Reason.AGENT_NOT_FOUND):
        raise
    print(f"{error.reason.value} ({error.code}): {error}")


async def mark() -> None:
    try:
        await AsyncMuster(address).agents.mark_agent(agent.MarkAgentRequest(mark="long"))
    except MusterError as error:
        print(f"{error.reason.value}: {', '.join(one.field for one in error.violations)}")


asyncio.run(mark())
