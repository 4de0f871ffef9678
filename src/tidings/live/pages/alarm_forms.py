"""Forms of rules and channels: what stands in them, and what was written there as a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tidings.core import (
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

__all__ = ["CHANNEL_KINDS", "channel_from", "channel_words", "rule_fields", "rule_from"]

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
    raise UsageError(f"found a rule about {kind[:30]!r}, expected updates, values, entities or sources")


def _number(text: str, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not -1e9 < number < 1e9:
        raise UsageError(f"found {text[:30]!r} as {what}, expected a number")
    return number


def _quiet(start: str, end: str) -> QuietHours | None:
    if not start and not end:
        return None
    minutes = []
    for text in (start, end):
        match = _TIME.fullmatch(text)
        if match is None or int(match[1]) > 23 or int(match[2]) > 59:
            raise UsageError(f"found {text[:30]!r} as a time of quiet hours, expected one such as 22:00")
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
        raise UsageError(
            f"found a channel of kind {fields['kind'][:30]!r}, expected {', '.join(CHANNEL_KINDS)}"
        )
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
