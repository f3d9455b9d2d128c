"""As follow_agents.py, with asyncio."""

import asyncio
import sys

from muster_fleet import AsyncMuster, from_environment
from muster_fleet.api import agent


async def follow() -> None:
    muster = AsyncMuster(from_environment(), on_lost=lambda why: print(why or "muster is back", file=sys.stderr, flush=True))
    shown = {}
    async for answer in muster.agents.watch_agents(agent.WatchAgentsRequest()):
        for row in answer.agents:
            if shown.get(row.agent.id) != row.agent.state:
                shown[row.agent.id] = row.agent.state
                print(row.agent.name, row.agent.state.name, flush=True)


try:
    asyncio.run(follow())
except KeyboardInterrupt:
    pass
