# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from typing import AsyncGenerator, Generator

from ..aio import AsyncService
from ..blocking import Service
from . import fact as messages


class FactService(Service):
    """The operations of fact.v1.FactService. Watches resume from their cursor after a cut."""

    def get_machine(self, request: messages.GetMachineRequest, timeout: float = 30.0) -> messages.GetMachineResponse:
        """Returns the definition of a state machine: a diagram and a table of its transitions.

        name is one of the machines, such as agent."""
        return self._call("fact.v1.FactService/GetMachine", request, messages.GetMachineResponse, timeout)

    def list_facts(self, request: messages.ListFactsRequest, timeout: float = 30.0) -> messages.ListFactsResponse:
        """Lists facts (recorded events), newest first.

        subjectId limits it to one agent, workflow or host, kinds to what happened."""
        return self._call("fact.v1.FactService/ListFacts", request, messages.ListFactsResponse, timeout)

    def watch_facts(self, request: messages.WatchFactsRequest) -> Generator[messages.WatchFactsResponse, None, None]:
        """Follows facts, in order, without gaps.

        Without a cursor it starts with the next fact; the cursor "0" starts with the oldest one
        that is kept. Each answer has a cursor that stays valid across restarts. Old facts are
        deleted (by default 30 days and the newest 100,000 are kept). An older cursor is refused as
        out_of_range, and so is a cursor of a log that a restored backup has replaced: then read the
        current state, and watch without a cursor."""
        return self._watch("fact.v1.FactService/WatchFacts", request, messages.WatchFactsResponse)

    def explain_machine(self, request: messages.ExplainMachineRequest, timeout: float = 30.0) -> messages.ExplainMachineResponse:
        """Returns the state of an instance, its context, and what each event would do to it.

        Without seq it explains the current state; with the seq of a transition, the state after
        that. Nothing is done: each event is tried on a copy, with sample data."""
        return self._call("fact.v1.FactService/ExplainMachine", request, messages.ExplainMachineResponse, timeout)

    def get_machine_chart(self, request: messages.GetMachineChartRequest, timeout: float = 30.0) -> messages.GetMachineChartResponse:
        """Returns the chart of a state machine: the position of each state and the path of each arrow.

        name is one of the machines, such as agent. The chart changes only with the machine, as does
        its hash."""
        return self._call("fact.v1.FactService/GetMachineChart", request, messages.GetMachineChartResponse, timeout)

    def list_lives(self, request: messages.ListLivesRequest, timeout: float = 30.0) -> messages.ListLivesResponse:
        """Lists the instances of a machine, newest first.

        Each of words must occur in the name, the id or the state. state is a state or a group of
        states, such as live.idle or live. Omits the same instances as survey_machine."""
        return self._call("fact.v1.FactService/ListLives", request, messages.ListLivesResponse, timeout)

    def list_transitions(self, request: messages.ListTransitionsRequest, timeout: float = 30.0) -> messages.ListTransitionsResponse:
        """Lists the transitions of a machine, newest first.

        subjectId limits it to one instance. The last 200 transitions of each are kept, for as long
        as facts are."""
        return self._call("fact.v1.FactService/ListTransitions", request, messages.ListTransitionsResponse, timeout)

    def survey_machine(self, request: messages.SurveyMachineRequest, timeout: float = 30.0) -> messages.SurveyMachineResponse:
        """Counts the instances of a machine by state, and names the newest of them.

        name is one of the machines, such as agent. Omits deleted agents, and reviews that are not
        released. It names at most 100 instances but counts all; list_lives lists all."""
        return self._call("fact.v1.FactService/SurveyMachine", request, messages.SurveyMachineResponse, timeout)

    def watch_transitions(self, request: messages.WatchTransitionsRequest) -> Generator[messages.WatchTransitionsResponse, None, None]:
        """Follows the transitions of machines, in order, without gaps.

        machine and subjectId limit it to one machine or one instance. Without a cursor it starts
        with the next transition; the cursor "0" starts with the oldest one that is kept."""
        return self._watch("fact.v1.FactService/WatchTransitions", request, messages.WatchTransitionsResponse)

    def get_notify(self, request: messages.GetNotifyRequest, timeout: float = 30.0) -> messages.GetNotifyResponse:
        """Returns who is notified when an agent starts to wait, fails or finishes.

        A workflow may have a webhook and a command of its own in addition."""
        return self._call("fact.v1.FactService/GetNotify", request, messages.GetNotifyResponse, timeout)

    def test_notify(self, request: messages.TestNotifyRequest, timeout: float = 30.0) -> messages.TestNotifyResponse:
        """Sends a test notice and returns the results.

        With workflowId it tests that workflow’s own webhook and command, else the person’s."""
        return self._call("fact.v1.FactService/TestNotify", request, messages.TestNotifyResponse, timeout)

    def update_notify(self, request: messages.UpdateNotifyRequest, timeout: float = 30.0) -> messages.UpdateNotifyResponse:
        """Sets the webhook and the command that notify the person about agents, for every workflow.

        Sets all three fields: an omitted one is cleared. A webhook gets a POST with a JSON object
        {event, text, at, seq, agent}, and is tried up to five times. A command runs once, with
        MUSTER_EVENT, MUSTER_TEXT, MUSTER_AGENT_ID, MUSTER_AGENT_NAME, MUSTER_AGENT_STATE and the
        whole object as MUSTER_NOTICE in its environment."""
        return self._call("fact.v1.FactService/UpdateNotify", request, messages.UpdateNotifyResponse, timeout)


class AsyncFactService(AsyncService):
    """The operations of fact.v1.FactService, for asyncio. Watches resume from their cursor after a cut."""

    async def get_machine(self, request: messages.GetMachineRequest, timeout: float = 30.0) -> messages.GetMachineResponse:
        """Returns the definition of a state machine: a diagram and a table of its transitions.

        name is one of the machines, such as agent."""
        return await self._call("fact.v1.FactService/GetMachine", request, messages.GetMachineResponse, timeout)

    async def list_facts(self, request: messages.ListFactsRequest, timeout: float = 30.0) -> messages.ListFactsResponse:
        """Lists facts (recorded events), newest first.

        subjectId limits it to one agent, workflow or host, kinds to what happened."""
        return await self._call("fact.v1.FactService/ListFacts", request, messages.ListFactsResponse, timeout)

    def watch_facts(self, request: messages.WatchFactsRequest) -> AsyncGenerator[messages.WatchFactsResponse, None]:
        """Follows facts, in order, without gaps.

        Without a cursor it starts with the next fact; the cursor "0" starts with the oldest one
        that is kept. Each answer has a cursor that stays valid across restarts. Old facts are
        deleted (by default 30 days and the newest 100,000 are kept). An older cursor is refused as
        out_of_range, and so is a cursor of a log that a restored backup has replaced: then read the
        current state, and watch without a cursor."""
        return self._watch("fact.v1.FactService/WatchFacts", request, messages.WatchFactsResponse)

    async def explain_machine(self, request: messages.ExplainMachineRequest, timeout: float = 30.0) -> messages.ExplainMachineResponse:
        """Returns the state of an instance, its context, and what each event would do to it.

        Without seq it explains the current state; with the seq of a transition, the state after
        that. Nothing is done: each event is tried on a copy, with sample data."""
        return await self._call("fact.v1.FactService/ExplainMachine", request, messages.ExplainMachineResponse, timeout)

    async def get_machine_chart(self, request: messages.GetMachineChartRequest, timeout: float = 30.0) -> messages.GetMachineChartResponse:
        """Returns the chart of a state machine: the position of each state and the path of each arrow.

        name is one of the machines, such as agent. The chart changes only with the machine, as does
        its hash."""
        return await self._call("fact.v1.FactService/GetMachineChart", request, messages.GetMachineChartResponse, timeout)

    async def list_lives(self, request: messages.ListLivesRequest, timeout: float = 30.0) -> messages.ListLivesResponse:
        """Lists the instances of a machine, newest first.

        Each of words must occur in the name, the id or the state. state is a state or a group of
        states, such as live.idle or live. Omits the same instances as survey_machine."""
        return await self._call("fact.v1.FactService/ListLives", request, messages.ListLivesResponse, timeout)

    async def list_transitions(self, request: messages.ListTransitionsRequest, timeout: float = 30.0) -> messages.ListTransitionsResponse:
        """Lists the transitions of a machine, newest first.

        subjectId limits it to one instance. The last 200 transitions of each are kept, for as long
        as facts are."""
        return await self._call("fact.v1.FactService/ListTransitions", request, messages.ListTransitionsResponse, timeout)

    async def survey_machine(self, request: messages.SurveyMachineRequest, timeout: float = 30.0) -> messages.SurveyMachineResponse:
        """Counts the instances of a machine by state, and names the newest of them.

        name is one of the machines, such as agent. Omits deleted agents, and reviews that are not
        released. It names at most 100 instances but counts all; list_lives lists all."""
        return await self._call("fact.v1.FactService/SurveyMachine", request, messages.SurveyMachineResponse, timeout)

    def watch_transitions(self, request: messages.WatchTransitionsRequest) -> AsyncGenerator[messages.WatchTransitionsResponse, None]:
        """Follows the transitions of machines, in order, without gaps.

        machine and subjectId limit it to one machine or one instance. Without a cursor it starts
        with the next transition; the cursor "0" starts with the oldest one that is kept."""
        return self._watch("fact.v1.FactService/WatchTransitions", request, messages.WatchTransitionsResponse)

    async def get_notify(self, request: messages.GetNotifyRequest, timeout: float = 30.0) -> messages.GetNotifyResponse:
        """Returns who is notified when an agent starts to wait, fails or finishes.

        A workflow may have a webhook and a command of its own in addition."""
        return await self._call("fact.v1.FactService/GetNotify", request, messages.GetNotifyResponse, timeout)

    async def test_notify(self, request: messages.TestNotifyRequest, timeout: float = 30.0) -> messages.TestNotifyResponse:
        """Sends a test notice and returns the results.

        With workflowId it tests that workflow’s own webhook and command, else the person’s."""
        return await self._call("fact.v1.FactService/TestNotify", request, messages.TestNotifyResponse, timeout)

    async def update_notify(self, request: messages.UpdateNotifyRequest, timeout: float = 30.0) -> messages.UpdateNotifyResponse:
        """Sets the webhook and the command that notify the person about agents, for every workflow.

        Sets all three fields: an omitted one is cleared. A webhook gets a POST with a JSON object
        {event, text, at, seq, agent}, and is tried up to five times. A command runs once, with
        MUSTER_EVENT, MUSTER_TEXT, MUSTER_AGENT_ID, MUSTER_AGENT_NAME, MUSTER_AGENT_STATE and the
        whole object as MUSTER_NOTICE in its environment."""
        return await self._call("fact.v1.FactService/UpdateNotify", request, messages.UpdateNotifyResponse, timeout)
