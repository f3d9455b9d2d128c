# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from typing import AsyncGenerator, Generator

from ..aio import AsyncService
from ..blocking import Service
from . import schedule as messages


class ScheduleService(Service):
    """The operations of schedule.v1.ScheduleService. Watches resume from their cursor after a cut."""

    def cancel_schedule_run(self, request: messages.CancelScheduleRunRequest, timeout: float = 30.0) -> messages.CancelScheduleRunResponse:
        """Cancels a firing that has not finished.

        Cancelling a cancelled firing changes nothing. Refused if it has launched its agent or was
        discarded."""
        return self._call("schedule.v1.ScheduleService/CancelScheduleRun", request, messages.CancelScheduleRunResponse, timeout)

    def create_schedule(self, request: messages.CreateScheduleRequest, timeout: float = 30.0) -> messages.CreateScheduleResponse:
        """Creates a schedule: it launches an agent at each time of its cron expression.

        cron has five fields, read in timezone (default: the registry’s own). missed decides whether
        missed occurrences run once, all, or not at all, if they are at most catchUpSeconds late
        (default: a day). overlap decides whether a firing starts, is skipped or waits while an
        agent of an earlier one is working. Names are unique."""
        return self._call("schedule.v1.ScheduleService/CreateSchedule", request, messages.CreateScheduleResponse, timeout)

    def delete_schedule(self, request: messages.DeleteScheduleRequest, timeout: float = 30.0) -> messages.DeleteScheduleResponse:
        """Deletes a schedule and the record of its firings; the agents that it launched stay.

        pause_schedule keeps the record and stops it from firing."""
        return self._call("schedule.v1.ScheduleService/DeleteSchedule", request, messages.DeleteScheduleResponse, timeout)

    def fire_schedule(self, request: messages.FireScheduleRequest, timeout: float = 30.0) -> messages.FireScheduleResponse:
        """Fires a schedule now, in addition to its occurrences, even while it is paused.

        The firing is recorded at once and launches its agent soon: list_schedule_runs shows its
        result."""
        return self._call("schedule.v1.ScheduleService/FireSchedule", request, messages.FireScheduleResponse, timeout)

    def get_schedule(self, request: messages.GetScheduleRequest, timeout: float = 30.0) -> messages.GetScheduleResponse:
        """Returns one schedule with its whole prompt.

        list_schedules shows the ids."""
        return self._call("schedule.v1.ScheduleService/GetSchedule", request, messages.GetScheduleResponse, timeout)

    def list_coming_firings(self, request: messages.ListComingFiringsRequest, timeout: float = 30.0) -> messages.ListComingFiringsResponse:
        """Lists when schedules will fire.

        For every schedule that is not paused, for scheduleId alone, or for a cron expression to try
        out: invalid_argument says what is wrong with it. more is set if limit cut the list."""
        return self._call("schedule.v1.ScheduleService/ListComingFirings", request, messages.ListComingFiringsResponse, timeout)

    def list_schedule_runs(self, request: messages.ListScheduleRunsRequest, timeout: float = 30.0) -> messages.ListScheduleRunsResponse:
        """Lists the recorded firings of a schedule, newest first.

        message says why a firing was skipped, or how its last attempt failed."""
        return self._call("schedule.v1.ScheduleService/ListScheduleRuns", request, messages.ListScheduleRunsResponse, timeout)

    def list_schedules(self, request: messages.ListSchedulesRequest, timeout: float = 30.0) -> messages.ListSchedulesResponse:
        """Lists recurring agent launches, most recently updated first.

        Long prompts are cut and promptTruncated is set."""
        return self._call("schedule.v1.ScheduleService/ListSchedules", request, messages.ListSchedulesResponse, timeout)

    def pause_schedule(self, request: messages.PauseScheduleRequest, timeout: float = 30.0) -> messages.PauseScheduleResponse:
        """Stops a schedule from firing, and cancels firings that have not started.

        A paused schedule stays paused. resume_schedule resumes it."""
        return self._call("schedule.v1.ScheduleService/PauseSchedule", request, messages.PauseScheduleResponse, timeout)

    def resume_schedule(self, request: messages.ResumeScheduleRequest, timeout: float = 30.0) -> messages.ResumeScheduleResponse:
        """Resumes a paused schedule: it fires from its next occurrence on.

        Occurrences during the pause do not count as missed."""
        return self._call("schedule.v1.ScheduleService/ResumeSchedule", request, messages.ResumeScheduleResponse, timeout)

    def retry_schedule_run(self, request: messages.RetryScheduleRunRequest, timeout: float = 30.0) -> messages.RetryScheduleRunResponse:
        """Runs a firing now that waits, was skipped or failed.

        A firing launches one agent, however often it is tried. Refused if it is available or
        running."""
        return self._call("schedule.v1.ScheduleService/RetryScheduleRun", request, messages.RetryScheduleRunResponse, timeout)

    def update_schedule(self, request: messages.UpdateScheduleRequest, timeout: float = 30.0) -> messages.UpdateScheduleResponse:
        """Changes the fields of a schedule that the request names.

        An omitted field stays. Name a field in clear to reset it to its default."""
        return self._call("schedule.v1.ScheduleService/UpdateSchedule", request, messages.UpdateScheduleResponse, timeout)

    def watch_schedules(self, request: messages.WatchSchedulesRequest) -> Generator[messages.WatchSchedulesResponse, None, None]:
        """Follows schedules: first all of them, then those that change, with their newest firings.

        Pass cursor back. goneScheduleIds are those that were deleted."""
        return self._watch("schedule.v1.ScheduleService/WatchSchedules", request, messages.WatchSchedulesResponse)


class AsyncScheduleService(AsyncService):
    """The operations of schedule.v1.ScheduleService, for asyncio. Watches resume from their cursor after a cut."""

    async def cancel_schedule_run(self, request: messages.CancelScheduleRunRequest, timeout: float = 30.0) -> messages.CancelScheduleRunResponse:
        """Cancels a firing that has not finished.

        Cancelling a cancelled firing changes nothing. Refused if it has launched its agent or was
        discarded."""
        return await self._call("schedule.v1.ScheduleService/CancelScheduleRun", request, messages.CancelScheduleRunResponse, timeout)

    async def create_schedule(self, request: messages.CreateScheduleRequest, timeout: float = 30.0) -> messages.CreateScheduleResponse:
        """Creates a schedule: it launches an agent at each time of its cron expression.

        cron has five fields, read in timezone (default: the registry’s own). missed decides whether
        missed occurrences run once, all, or not at all, if they are at most catchUpSeconds late
        (default: a day). overlap decides whether a firing starts, is skipped or waits while an
        agent of an earlier one is working. Names are unique."""
        return await self._call("schedule.v1.ScheduleService/CreateSchedule", request, messages.CreateScheduleResponse, timeout)

    async def delete_schedule(self, request: messages.DeleteScheduleRequest, timeout: float = 30.0) -> messages.DeleteScheduleResponse:
        """Deletes a schedule and the record of its firings; the agents that it launched stay.

        pause_schedule keeps the record and stops it from firing."""
        return await self._call("schedule.v1.ScheduleService/DeleteSchedule", request, messages.DeleteScheduleResponse, timeout)

    async def fire_schedule(self, request: messages.FireScheduleRequest, timeout: float = 30.0) -> messages.FireScheduleResponse:
        """Fires a schedule now, in addition to its occurrences, even while it is paused.

        The firing is recorded at once and launches its agent soon: list_schedule_runs shows its
        result."""
        return await self._call("schedule.v1.ScheduleService/FireSchedule", request, messages.FireScheduleResponse, timeout)

    async def get_schedule(self, request: messages.GetScheduleRequest, timeout: float = 30.0) -> messages.GetScheduleResponse:
        """Returns one schedule with its whole prompt.

        list_schedules shows the ids."""
        return await self._call("schedule.v1.ScheduleService/GetSchedule", request, messages.GetScheduleResponse, timeout)

    async def list_coming_firings(self, request: messages.ListComingFiringsRequest, timeout: float = 30.0) -> messages.ListComingFiringsResponse:
        """Lists when schedules will fire.

        For every schedule that is not paused, for scheduleId alone, or for a cron expression to try
        out: invalid_argument says what is wrong with it. more is set if limit cut the list."""
        return await self._call("schedule.v1.ScheduleService/ListComingFirings", request, messages.ListComingFiringsResponse, timeout)

    async def list_schedule_runs(self, request: messages.ListScheduleRunsRequest, timeout: float = 30.0) -> messages.ListScheduleRunsResponse:
        """Lists the recorded firings of a schedule, newest first.

        message says why a firing was skipped, or how its last attempt failed."""
        return await self._call("schedule.v1.ScheduleService/ListScheduleRuns", request, messages.ListScheduleRunsResponse, timeout)

    async def list_schedules(self, request: messages.ListSchedulesRequest, timeout: float = 30.0) -> messages.ListSchedulesResponse:
        """Lists recurring agent launches, most recently updated first.

        Long prompts are cut and promptTruncated is set."""
        return await self._call("schedule.v1.ScheduleService/ListSchedules", request, messages.ListSchedulesResponse, timeout)

    async def pause_schedule(self, request: messages.PauseScheduleRequest, timeout: float = 30.0) -> messages.PauseScheduleResponse:
        """Stops a schedule from firing, and cancels firings that have not started.

        A paused schedule stays paused. resume_schedule resumes it."""
        return await self._call("schedule.v1.ScheduleService/PauseSchedule", request, messages.PauseScheduleResponse, timeout)

    async def resume_schedule(self, request: messages.ResumeScheduleRequest, timeout: float = 30.0) -> messages.ResumeScheduleResponse:
        """Resumes a paused schedule: it fires from its next occurrence on.

        Occurrences during the pause do not count as missed."""
        return await self._call("schedule.v1.ScheduleService/ResumeSchedule", request, messages.ResumeScheduleResponse, timeout)

    async def retry_schedule_run(self, request: messages.RetryScheduleRunRequest, timeout: float = 30.0) -> messages.RetryScheduleRunResponse:
        """Runs a firing now that waits, was skipped or failed.

        A firing launches one agent, however often it is tried. Refused if it is available or
        running."""
        return await self._call("schedule.v1.ScheduleService/RetryScheduleRun", request, messages.RetryScheduleRunResponse, timeout)

    async def update_schedule(self, request: messages.UpdateScheduleRequest, timeout: float = 30.0) -> messages.UpdateScheduleResponse:
        """Changes the fields of a schedule that the request names.

        An omitted field stays. Name a field in clear to reset it to its default."""
        return await self._call("schedule.v1.ScheduleService/UpdateSchedule", request, messages.UpdateScheduleResponse, timeout)

    def watch_schedules(self, request: messages.WatchSchedulesRequest) -> AsyncGenerator[messages.WatchSchedulesResponse, None]:
        """Follows schedules: first all of them, then those that change, with their newest firings.

        Pass cursor back. goneScheduleIds are those that were deleted."""
        return self._watch("schedule.v1.ScheduleService/WatchSchedules", request, messages.WatchSchedulesResponse)
