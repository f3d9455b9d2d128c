"""Launches an agent, waits until it has finished its turn, prints its screen and archives it."""

import os
import sys

from muster_fleet import Muster, from_environment
from muster_fleet.api import agent, workflow

muster = Muster(from_environment())
workflows = muster.workflows.list_workflows(workflow.ListWorkflowsRequest()).workflows
created = muster.agents.create_agent(
    agent.CreateAgentRequest(
        prompt=sys.argv[1] if len(sys.argv) > 1 else "echo hello",
        harness="shell",
        workflow_id=workflows[0].id,
        dir=os.getcwd(),
        provision_enabled=False,
    )
)
agent_id = created.agent.id
request = agent.WaitForAgentsRequest(agent_ids=[agent_id], until=[agent.AgentOutcome.FINISHED])
(awaited,) = muster.wait_for_agents(request)
print(f"{awaited.name}: {awaited.outcome.name}")
print(muster.agents.read_pane(agent.ReadPaneRequest(agent_id=agent_id)).screen.text.rstrip())
muster.agents.archive_agent(agent.ArchiveAgentRequest(agent_id=agent_id))
