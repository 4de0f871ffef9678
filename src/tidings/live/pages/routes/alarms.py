"""Pages of alarms: what is worth one, where they go, and how that went. For who may change something alone."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Form, HTTPException, Path, Query, Request, Response
from fastapi.responses import RedirectResponse
from msgspec.structs import replace
from pydantic import BaseModel, Field

from tidings.core import (
    ATTRIBUTES,
    Alarm,
    AlarmChannel,
    AlarmRule,
    ChannelKind,
    Condition,
    EntityNew,
    QuietHours,
    SourceSilent,
    StorySpread,
    UpdateAbove,
    UsageError,
    ValueRose,
    format_duration,
    parse_duration,
)
from tidings.live.alarms.channel_types import CHANNEL_TYPES, channel_type, check_channel, shown_address
from tidings.live.alarms.settings import FIGURES, DeliverySettings, check_rule, hour, rule_words
from tidings.live.pages.visits import Editing, live_of
from tidings.web import page, root_of

_TIME = re.compile(r"(\d{1,2}):(\d{2})")
_UNPROCESSABLE = 422
_SHOWN = 100

Number = Annotated[int, Path(ge=0, le=2**31 - 1)]
Words = Annotated[str, Field(max_length=2000)]
Choice = Annotated[str, Field(max_length=500)]


class RuleForm(BaseModel):
    """A rule as its form has it: fields of all kinds of conditions, of which those of `kind` count."""

    name: Words
    kind: Choice
    event: Choice = ""
    worth: Choice = ""
    share: Choice = ""
    attributes: Annotated[list[Words], Field(max_length=50)] = []
    top: Choice = ""
    source: Words = ""
    after: Choice = ""
    outlets: Choice = ""
    within: Choice = ""
    zone: Choice = ""
    quiet_from: Choice = ""
    quiet_until: Choice = ""
    most: Choice = ""
    channel: Annotated[list[int], Field(max_length=100)] = []

    @classmethod
    def of(cls, rule: AlarmRule, channels: Iterable[int]) -> RuleForm:
        """The form of a rule.

        >>> RuleForm.of(AlarmRule(name="x", when=UpdateAbove(worth=0.7)), ()).worth
        '0.7'
        """
        when = rule.when
        fields: dict[str, Any] = {
            "worth": "0.5",
            "share": "10",
            "top": "3",
            "after": "6h",
            "outlets": "5",
            "within": "3h",
        }
        if isinstance(when, UpdateAbove):
            fields["worth"] = f"{when.worth:g}"
        elif isinstance(when, ValueRose):
            fields |= {"share": f"{when.share * 100:g}", "attributes": list(when.attributes)}
        elif isinstance(when, EntityNew):
            fields["top"] = str(when.top)
        elif isinstance(when, StorySpread):
            fields |= {"outlets": str(when.outlets), "within": format_duration(when.within_s)}
        else:
            fields |= {"source": when.source, "after": format_duration(when.after_s)}
        if rule.quiet is not None:
            fields |= {"quiet_from": hour(rule.quiet.start), "quiet_until": hour(rule.quiet.end)}
        return cls(
            name=rule.name,
            kind=str(type(when).__struct_config__.tag),
            event=rule.event_id,
            zone=rule.zone,
            most=str(rule.most_an_hour),
            channel=list(channels),
            **fields,
        )

    def rule(self, before: AlarmRule) -> AlarmRule:
        """The rule that the form says, in the place of another one; UsageError where it says none."""
        return replace(
            before,
            name=self.name.strip(),
            when=self._condition(),
            channels=tuple(dict.fromkeys(self.channel)),
            event_id="" if self.kind in ("silence", "story") else self.event,
            zone=self.zone.strip() or "UTC",
            quiet=self._quiet(),
            most_an_hour=int(_number(self.most or "0", "the maximum per hour")),
        )

    def _condition(self) -> Condition:
        if self.kind == "update":
            return UpdateAbove(worth=_number(self.worth or "0", "the confidence"))
        if self.kind == "value":
            names = [name.strip() for chosen in self.attributes for name in chosen.split(",")]
            share = _number(self.share or "0", "the percentage") / 100
            return ValueRose(share=share, attributes=tuple(filter(None, names)))
        if self.kind == "entity":
            return EntityNew(top=int(_number(self.top, "how many key names")))
        if self.kind == "silence":
            return SourceSilent(source=self.source.strip(), after_s=parse_duration(self.after, "silence"))
        if self.kind == "story":
            outlets = int(_number(self.outlets, "how many outlets"))
            return StorySpread(outlets=outlets, within_s=parse_duration(self.within, "time"))
        raise UsageError(
            "Choose what triggers the rule: updates, figures, key names, a quiet source or a new story."
        )

    def _quiet(self) -> QuietHours | None:
        times = self.quiet_from.strip(), self.quiet_until.strip()
        if not any(times):
            return None
        minutes = []
        for text in times:
            match = _TIME.fullmatch(text)
            if match is None or int(match[1]) > 23 or int(match[2]) > 59:
                raise UsageError(f"{text[:30]!r} is not a time. Enter one such as 22:00.")
            minutes.append(int(match[1]) * 60 + int(match[2]))
        return QuietHours(*minutes)


def _number(text: str, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not -1e9 < number < 1e9:
        raise UsageError(f"{text[:30]!r} is not a number. Enter a number for {what}.")
    return number


class ChannelForm(BaseModel):
    """A channel as its form has it; where its address is left empty, that of the one before stays."""

    name: Words
    kind: Choice
    address: Words = ""
    every: Choice = "day"
    hour: Choice = ""
    zone: Choice = ""
    event: Choice = ""

    @classmethod
    def of(cls, channel: AlarmChannel) -> ChannelForm:
        """The form of a channel, without its address."""
        settings = channel.settings
        return cls(
            name=channel.name,
            kind=channel.kind,
            every=settings.every,
            hour=str(settings.hour),
            zone=settings.zone,
            event=settings.event_id,
        )

    def channel(self, before: AlarmChannel) -> AlarmChannel:
        """The channel that the form says, in the place of another one; UsageError where it says none."""
        needs_address = bool(channel_type(self.kind).example)
        kept = before.address if before.kind == self.kind else ""
        settings = replace(
            before.settings,
            every="hour" if self.every == "hour" else "day",
            hour=int(_number(self.hour or "7", "the hour")),
            zone=self.zone.strip() or "UTC",
            event_id=self.event,
        )
        address = (self.address.strip() or kept) if needs_address else ""
        return replace(
            before,
            name=self.name.strip(),
            kind=cast("ChannelKind", self.kind),
            address=address,
            settings=settings,
        )


def channel_words(channel: AlarmChannel) -> str:
    """How often a digest is made, in words; empty for other channels.

    >>> channel_words(AlarmChannel(name="a", kind="digest-file"))
    'daily at 7:00 (UTC)'
    """
    if not channel.is_digest:
        return ""
    settings = channel.settings
    return "hourly" if settings.every == "hour" else f"daily at {settings.hour}:00 ({settings.zone})"


alarms_router = APIRouter(prefix="/alarms", include_in_schema=False)

Items = Literal["rules", "channels"]


@alarms_router.get("")
def show(
    request: Request,
    visitor: Editing,
    channel: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
    sent: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
) -> Response:
    """Rules, channels, and the last deliveries, of one channel or all."""
    live = live_of(request)
    channels = live.channels.all()
    counts = live.outbox.counts()
    return page(
        request,
        "alarms.html.j2",
        rules=[(rule, rule_words(rule)) for rule in live.rules.all()],
        channels=[
            (
                channel,
                CHANNEL_TYPES[channel.kind].title if channel.kind in CHANNEL_TYPES else channel.kind,
                shown_address(channel),
                channel_words(channel),
                counts.get(channel.id, (0, 0, 0)),
            )
            for channel in channels
        ],
        names={channel.id: channel.name for channel in channels},
        titles=_titles(request),
        deliveries=live.outbox.latest(_SHOWN, channel_id=channel),
        chosen=channel,
        sent=sent,
        delivers=request.app.state.deliveries is not None,
        trouble=request.app.state.deliveries.trouble if request.app.state.deliveries else "",
    )


@alarms_router.get("/rules/{number}")
def show_rule(request: Request, visitor: Editing, number: Number) -> Response:
    """The form of a rule; that of a new one for number 0."""
    rule = _rule(request, number)
    channels = rule.channels if number else [channel.id for channel in live_of(request).channels.all()]
    return _rule_page(request, rule, RuleForm.of(rule, channels))


@alarms_router.post("/rules/{number}")
def save_rule(
    request: Request, visitor: Editing, number: Number, form: Annotated[RuleForm, Form()]
) -> Response:
    """Keep a rule."""
    before, rules = _rule(request, number), live_of(request).rules
    try:
        rule = form.rule(before)
        check_rule(rule)
        (rules.change if number else rules.add)(rule)
    except UsageError as error:
        return _rule_page(request, before, form, str(error))
    return _back(request)


@alarms_router.get("/channels/{number}")
def show_channel(request: Request, visitor: Editing, number: Number) -> Response:
    """The form of a channel; that of a new one for number 0."""
    channel = _channel(request, number)
    return _channel_page(request, channel, ChannelForm.of(channel))


@alarms_router.post("/channels/{number}")
def save_channel(
    request: Request, visitor: Editing, number: Number, form: Annotated[ChannelForm, Form()]
) -> Response:
    """Keep a channel; a new one gets a secret, and tells what comes from now on."""
    before, live = _channel(request, number), live_of(request)
    try:
        channel = form.channel(before)
        check_channel(channel, _settings(request))
        if number:
            live.channels.change(channel)
        else:
            since = replace(channel.settings, since_seq=live.outputs.last_seq(), since_time=int(live.clock()))
            live.channels.add(replace(channel, secret=secrets.token_urlsafe(32), settings=since))
    except UsageError as error:
        return _channel_page(request, before, form, str(error))
    return _back(request)


@alarms_router.post("/{items}/{number}/rest")
def rest(request: Request, visitor: Editing, items: Items, number: Number) -> Response:
    """Let a rule or a channel rest, or work again."""
    live = live_of(request)
    now_ms = int(live.clock() * 1000)
    if items == "rules":
        rule = _rule(request, number)
        live.rules.change(replace(rule, disabled_ms=now_ms if rule.disabled_ms is None else None))
    else:
        channel = _channel(request, number)
        live.channels.change(replace(channel, disabled_ms=now_ms if channel.disabled_ms is None else None))
    return _back(request)


@alarms_router.post("/{items}/{number}/remove")
def remove(request: Request, visitor: Editing, items: Items, number: Number) -> Response:
    """Forget a rule, or a channel and what was on its way to it."""
    live = live_of(request)
    (live.rules if items == "rules" else live.channels).remove(number)
    return _back(request)


@alarms_router.post("/channels/{number}/test")
def test_channel(request: Request, visitor: Editing, number: Number) -> Response:
    """Send a channel something, so that one sees whether it arrives."""
    channel, live = _channel(request, number), live_of(request)
    if not number:
        raise HTTPException(404, "There is no such channel.")
    alarm = Alarm(
        id=secrets.token_hex(16),
        kind="test",
        title=f"Test of the channel {channel.name}, sent by {visitor.account.name}",
        time=int(live.clock()),
        run=live.run,
    )
    live.outbox.send(alarm, [channel.id])
    return _back(request, f"?sent={channel.id}#deliveries")


@alarms_router.post("/deliveries/{seq}/again")
def try_again(request: Request, visitor: Editing, seq: Annotated[int, Path(ge=1, le=2**53)]) -> Response:
    """Try a delivery again now."""
    live_of(request).outbox.try_again(seq)
    return _back(request, "#deliveries")


def _rule(request: Request, rule_id: int) -> AlarmRule:
    if not rule_id:
        return AlarmRule(name="", when=UpdateAbove(worth=0.5))
    found = live_of(request).rules.find(rule_id)
    if found is None:
        raise HTTPException(404, "There is no such rule.")
    return found


def _channel(request: Request, channel_id: int) -> AlarmChannel:
    if not channel_id:
        return AlarmChannel(name="", kind="webhook")
    found = live_of(request).channels.find(channel_id)
    if found is None:
        raise HTTPException(404, "There is no such channel.")
    return found


def _rule_page(request: Request, rule: AlarmRule, form: RuleForm, problem: str = "") -> Response:
    return page(
        request,
        "alarm_rule.html.j2",
        _UNPROCESSABLE if problem else 200,
        rule=rule,
        fields=form,
        channels=[channel for channel in live_of(request).channels.all() if not channel.is_digest],
        titles=_titles(request),
        figures=[(name, ATTRIBUTES[name].label.removeprefix("in ")) for name in FIGURES],
        problem=problem,
    )


def _channel_page(request: Request, channel: AlarmChannel, form: ChannelForm, problem: str = "") -> Response:
    return page(
        request,
        "alarm_channel.html.j2",
        _UNPROCESSABLE if problem else 200,
        channel=channel,
        fields=form,
        types=CHANNEL_TYPES,
        address=shown_address(channel) if channel.id else "",
        titles=_titles(request),
        has_folder=bool(_settings(request).digests),
        problem=problem,
    )


def _titles(request: Request) -> dict[str, str]:
    standing = live_of(request).events.all()
    return {standing.event.id: standing.event.title or standing.event.query for standing in standing}


def _settings(request: Request) -> DeliverySettings:
    settings: DeliverySettings = request.app.state.delivery_settings
    return settings


def _back(request: Request, where: str = "") -> Response:
    return RedirectResponse(f"{root_of(request)}/alarms{where}", status_code=303)
