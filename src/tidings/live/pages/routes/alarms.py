"""Pages of alarms: what is worth one, where they go, and how that went. For who may change something alone."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Path, Query, Request, Response
from fastapi.responses import RedirectResponse
from msgspec.structs import replace

from tidings.core import (
    Alarm,
    AlarmChannel,
    AlarmRule,
    ChannelKind,
    ChannelSettings,
    Condition,
    EntityNew,
    QuietHours,
    SourceSilent,
    UpdateAbove,
    UsageError,
    ValueRose,
    format_duration,
    parse_duration,
)
from tidings.live.alarms.settings import (
    DeliverySettings,
    check_channel,
    check_rule,
    rule_words,
    shown_address,
)
from tidings.live.pages.visits import Editing, live_of
from tidings.web import page, root_of

__all__ = ["CHANNEL_KINDS", "alarms_router", "channel_from", "channel_words", "rule_fields", "rule_from"]


CHANNEL_KINDS: Mapping[ChannelKind, str] = {
    "webhook": "Webhook",
    "mail": "Mail",
    "apprise": "Chat (apprise)",
    "digest-mail": "Digest as mail",
    "digest-file": "Digest as a file",
}
"""What a page calls each kind."""

_TIME = re.compile(r"(\d{1,2}):(\d{2})")


def rule_fields(rule: AlarmRule) -> dict[str, str]:
    """What stands in the form of a rule.

    >>> rule_fields(AlarmRule(name="x", when=UpdateAbove(worth=0.5)))["worth"]
    '0.5'
    """
    when = rule.when
    fields = {
        "name": rule.name,
        "kind": str(type(when).__struct_config__.tag),
        "event": rule.event_id,
        "worth": "0.5",
        "share": "10",
        "attributes": "",
        "top": "3",
        "source": "",
        "after": "6h",
        "zone": rule.zone,
        "quiet_from": "",
        "quiet_until": "",
        "most": str(rule.most_an_hour),
    }
    if isinstance(when, UpdateAbove):
        fields["worth"] = f"{when.worth:g}"
    elif isinstance(when, ValueRose):
        fields |= {"share": f"{when.share * 100:g}", "attributes": ", ".join(when.attributes)}
    elif isinstance(when, EntityNew):
        fields["top"] = str(when.top)
    else:
        fields |= {"source": when.source, "after": format_duration(when.after_s)}
    if rule.quiet is not None:
        start, end = (f"{minute // 60:02}:{minute % 60:02}" for minute in (rule.quiet.start, rule.quiet.end))
        fields |= {"quiet_from": start, "quiet_until": end}
    return fields


def rule_from(
    fields: Mapping[str, str], channels: Iterable[int], rule_id: int, disabled_ms: int | None
) -> AlarmRule:
    """The rule that a form says; UsageError where it says none."""
    return AlarmRule(
        id=rule_id,
        name=fields["name"].strip(),
        when=_condition(fields),
        channels=tuple(dict.fromkeys(channels)),
        event_id="" if fields["kind"] == "silence" else fields["event"],
        zone=fields["zone"].strip() or "UTC",
        quiet=_quiet(fields["quiet_from"].strip(), fields["quiet_until"].strip()),
        most_an_hour=int(_number(fields["most"] or "0", "how many an hour")),
        disabled_ms=disabled_ms,
    )


def _condition(fields: Mapping[str, str]) -> Condition:
    kind = fields["kind"]
    if kind == "update":
        return UpdateAbove(worth=_number(fields["worth"] or "0", "worth"))
    if kind == "value":
        names = [one.strip() for one in fields["attributes"].split(",")]
        share = _number(fields["share"] or "0", "share") / 100
        return ValueRose(share=share, attributes=tuple(one for one in names if one))
    if kind == "entity":
        return EntityNew(top=int(_number(fields["top"], "how many entities")))
    if kind == "silence":
        return SourceSilent(
            source=fields["source"].strip(), after_s=parse_duration(fields["after"], "silence")
        )
    raise UsageError(f"a rule about {kind[:30]!r} (expected updates, values, entities or sources)")


def _number(text: str, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not -1e9 < number < 1e9:
        raise UsageError(f"{text[:30]!r} as {what} (expected a number)")
    return number


def _quiet(start: str, end: str) -> QuietHours | None:
    if not start and not end:
        return None
    minutes = []
    for text in (start, end):
        match = _TIME.fullmatch(text)
        if match is None or int(match[1]) > 23 or int(match[2]) > 59:
            raise UsageError(f"{text[:30]!r} as a time of quiet hours (expected one such as 22:00)")
        minutes.append(int(match[1]) * 60 + int(match[2]))
    return QuietHours(*minutes)


def channel_words(channel: AlarmChannel) -> str:
    """How often a digest is made, in words; empty for other channels.

    >>> channel_words(AlarmChannel(name="a", kind="digest-file"))
    'daily at 7:00 (UTC)'
    """
    if not channel.is_digest:
        return ""
    settings = channel.settings
    return "hourly" if settings.every == "hour" else f"daily at {settings.hour}:00 ({settings.zone})"


def channel_from(fields: Mapping[str, str], before: AlarmChannel) -> AlarmChannel:
    """The channel that a form says; where its address is left empty, that of the one before stays."""
    kind = next((one for one in CHANNEL_KINDS if one == fields["kind"]), None)
    if kind is None:
        raise UsageError(f"a channel of kind {fields['kind'][:30]!r} (expected {', '.join(CHANNEL_KINDS)})")
    kept = before.address if before.kind == kind else ""
    return AlarmChannel(
        id=before.id,
        name=fields["name"].strip(),
        kind=kind,
        address="" if kind == "digest-file" else fields["address"].strip() or kept,
        secret=before.secret,
        settings=ChannelSettings(
            every="hour" if fields["every"] == "hour" else "day",
            hour=int(_number(fields["hour"] or "7", "the hour")),
            zone=fields["zone"].strip() or "UTC",
            event_id=fields["event"],
            since_seq=before.settings.since_seq,
            since_time=before.settings.since_time,
        ),
        disabled_ms=before.disabled_ms,
    )


alarms_router = APIRouter(prefix="/alarms", include_in_schema=False)

_UNPROCESSABLE = 422
_SHOWN = 100

Number = Annotated[int, Path(ge=0, le=2**31 - 1)]
Words = Annotated[str, Form(max_length=2000)]
Choice = Annotated[str, Form(max_length=500)]


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
        rules=[(one, rule_words(one)) for one in live.rules.all()],
        channels=[
            (
                one,
                CHANNEL_KINDS[one.kind],
                shown_address(one),
                channel_words(one),
                counts.get(one.id, (0, 0, 0)),
            )
            for one in channels
        ],
        names={one.id: one.name for one in channels},
        titles=_titles(request),
        deliveries=live.outbox.latest(_SHOWN, channel_id=channel),
        chosen=channel,
        sent=sent,
        delivers=request.app.state.deliveries is not None,
        trouble=request.app.state.deliveries.trouble if request.app.state.deliveries else "",
    )


@alarms_router.get("/rules/{rule_id}")
def show_rule(request: Request, visitor: Editing, rule_id: Number) -> Response:
    """The form of a rule; that of a new one for number 0."""
    rule = _rule(request, rule_id)
    chosen = rule.channels if rule.id else tuple(one.id for one in live_of(request).channels.all())
    return _rule_page(request, rule, rule_fields(rule), chosen)


@alarms_router.post("/rules/{rule_id}")
def save_rule(
    request: Request,
    visitor: Editing,
    rule_id: Number,
    name: Words,
    kind: Choice,
    event: Choice = "",
    worth: Choice = "",
    share: Choice = "",
    attributes: Words = "",
    top: Choice = "",
    source: Words = "",
    after: Choice = "",
    zone: Choice = "",
    quiet_from: Choice = "",
    quiet_until: Choice = "",
    most: Choice = "",
    channel: Annotated[list[int] | None, Form(max_length=100)] = None,
) -> Response:
    """Keep a rule."""
    before, rules = _rule(request, rule_id), live_of(request).rules
    fields = {
        "name": name, "kind": kind, "event": event, "worth": worth, "share": share, "attributes": attributes,
        "top": top, "source": source, "after": after, "zone": zone, "quiet_from": quiet_from,
        "quiet_until": quiet_until, "most": most,
    }  # fmt: skip
    try:
        rule = rule_from(fields, channel or (), rule_id, before.disabled_ms)
        check_rule(rule)
        if rule_id:
            rules.change(rule)
        else:
            rules.add(rule)
    except UsageError as error:
        return _rule_page(request, before, fields, channel or (), str(error), _UNPROCESSABLE)
    return _back(request)


@alarms_router.post("/rules/{rule_id}/rest")
def rest_rule(request: Request, visitor: Editing, rule_id: Number) -> Response:
    """Let a rule rest, or work again."""
    rule, live = _rule(request, rule_id), live_of(request)
    now_ms = int(live.clock() * 1000)
    live.rules.change(replace(rule, disabled_ms=now_ms if rule.disabled_ms is None else None))
    return _back(request)


@alarms_router.post("/rules/{rule_id}/remove")
def remove_rule(request: Request, visitor: Editing, rule_id: Number) -> Response:
    """Forget a rule."""
    live_of(request).rules.remove(rule_id)
    return _back(request)


@alarms_router.get("/channels/{channel_id}")
def show_channel(request: Request, visitor: Editing, channel_id: Number) -> Response:
    """The form of a channel; that of a new one for number 0."""
    channel = _channel(request, channel_id)
    return _channel_page(request, channel, _channel_fields(channel))


@alarms_router.post("/channels/{channel_id}")
def save_channel(
    request: Request,
    visitor: Editing,
    channel_id: Number,
    name: Words,
    kind: Choice,
    address: Words = "",
    every: Choice = "day",
    hour: Choice = "",
    zone: Choice = "",
    event: Choice = "",
) -> Response:
    """Keep a channel; a new one gets a secret, and tells what comes from now on."""
    before, live = _channel(request, channel_id), live_of(request)
    fields = {"name": name, "kind": kind, "every": every, "hour": hour, "zone": zone, "event": event}
    try:
        channel = channel_from({**fields, "address": address}, before)
        check_channel(channel, _settings(request))
        if channel_id:
            live.channels.change(channel)
        else:
            since = replace(channel.settings, since_seq=live.outputs.last_seq(), since_time=int(live.clock()))
            live.channels.add(replace(channel, secret=secrets.token_urlsafe(32), settings=since))
    except UsageError as error:
        return _channel_page(request, before, fields, str(error), _UNPROCESSABLE)
    return _back(request)


@alarms_router.post("/channels/{channel_id}/rest")
def rest_channel(request: Request, visitor: Editing, channel_id: Number) -> Response:
    """Let a channel rest, or work again."""
    channel, live = _channel(request, channel_id), live_of(request)
    now_ms = int(live.clock() * 1000)
    live.channels.change(replace(channel, disabled_ms=now_ms if channel.disabled_ms is None else None))
    return _back(request)


@alarms_router.post("/channels/{channel_id}/remove")
def remove_channel(request: Request, visitor: Editing, channel_id: Number) -> Response:
    """Forget a channel, and what was on its way to it."""
    live_of(request).channels.remove(channel_id)
    return _back(request)


@alarms_router.post("/channels/{channel_id}/test")
def test_channel(request: Request, visitor: Editing, channel_id: Number) -> Response:
    """Send a channel something, so that one sees whether it arrives."""
    channel, live = _channel(request, channel_id), live_of(request)
    if not channel.id:
        raise HTTPException(404, "no such channel")
    alarm = Alarm(
        id=secrets.token_hex(16),
        kind="test",
        title=f"A test of the channel {channel.name}, asked for by {visitor.account.name}",
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
        raise HTTPException(404, "no such rule")
    return found


def _channel(request: Request, channel_id: int) -> AlarmChannel:
    if not channel_id:
        return AlarmChannel(name="", kind="webhook")
    found = live_of(request).channels.find(channel_id)
    if found is None:
        raise HTTPException(404, "no such channel")
    return found


def _rule_page(
    request: Request,
    rule: AlarmRule,
    fields: dict[str, str],
    chosen: Any,
    problem: str = "",
    status: int = 200,
) -> Response:
    return page(
        request,
        "alarm_rule.html.j2",
        status,
        rule=rule,
        fields=fields,
        chosen=frozenset(chosen),
        channels=[one for one in live_of(request).channels.all() if not one.is_digest],
        titles=_titles(request),
        problem=problem,
    )


def _channel_fields(channel: AlarmChannel) -> dict[str, str]:
    settings = channel.settings
    return {
        "name": channel.name,
        "kind": channel.kind,
        "every": settings.every,
        "hour": str(settings.hour),
        "zone": settings.zone,
        "event": settings.event_id,
    }


def _channel_page(
    request: Request, channel: AlarmChannel, fields: dict[str, str], problem: str = "", status: int = 200
) -> Response:
    return page(
        request,
        "alarm_channel.html.j2",
        status,
        channel=channel,
        fields=fields,
        kinds=CHANNEL_KINDS,
        address=shown_address(channel) if channel.id else "",
        titles=_titles(request),
        has_folder=bool(_settings(request).digests),
        problem=problem,
    )


def _titles(request: Request) -> dict[str, str]:
    standing = live_of(request).events.all()
    return {one.event.id: one.event.title or one.event.query for one in standing}


def _settings(request: Request) -> DeliverySettings:
    settings: DeliverySettings = request.app.state.delivery_settings
    return settings


def _back(request: Request, where: str = "") -> Response:
    return RedirectResponse(f"{root_of(request)}/alarms{where}", status_code=303)
