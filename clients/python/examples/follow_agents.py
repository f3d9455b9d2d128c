"""Prints each agent whenever its state changes, in a thread that blocks. It goes on after a cut of the connection or a
restart of muster, without missing a change."""

import sys

from muster_fleet import Muster, from_environment
from muster_fleet.api import agent

muster = Muster(from_environment(), on_lost=lambda why: print(why or "muster is back", file=sys.stderr, flush=True))
shown = {}
try:
    for answer in muster.agents.watch_agents(agent.WatchAgentsRequest()):
        for row in answer.agents:
            if shown.get(row.agent.id) != row.agent.state:
                shown[row.agent.id] = row.agent.state
                print(row.agent.name, row.agent.state.name, flush=True)
except KeyboardInterrupt:
    pass
