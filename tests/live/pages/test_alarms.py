"""The pages of alarms: set by forms, shown with what became of them; for who may change something alone."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.live.pages.sites import STORM, Site, client_of, live_in, update
from tests.sweeps import cases, every
from tidings.core.records.standing import (
    AlarmChannel,
    EntityNew,
    QuietHours,
    SourceSilent,
    UpdateAbove,
    ValueRose,
)
from tidings.live.pages.settings import LiveSiteSettings
from tidings.web.visitors import COOKIE

WEBHOOK = {"name": "Hook", "kind": "webhook", "address": "https://hooks.example.org/T0/secret?k=v"}
RULE = {"name": "All", "kind": "update", "worth": "0"}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with live_in(str(tmp_path / "store.db"), events=(STORM,)) as made:
        yield made


@pytest.fixture
def client(site: Site) -> Iterator[TestClient]:
    with client_of(site) as made:
        desk = made.app.state.desk  # type: ignore[attr-defined]
        made.cookies.set(COOKIE, desk.accounts.begin_session(desk.accounts.add("editor").id))
        yield made


def text_of(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


class TestRules:
    def test_each_kind_is_set_shown_and_changed(self, site: Site, client: TestClient) -> None:
        client.post("/alarms/channels/0", data=WEBHOOK)
        quiet = {"quiet_from": "22:00", "quiet_until": "7:00", "zone": "Europe/Madrid", "most": "3"}
        forms = [
            {"name": "a", "kind": "update", "worth": "0.4", "event": "storm", "channel": "1", **quiet},
            {"name": "b", "kind": "value", "share": "25", "attributes": "deaths, injuries,"},
            {"name": "c", "kind": "entity", "top": "2"},
            {"name": "d", "kind": "silence", "after": "2h", "source": " The Wire ", "event": "storm"},
        ]
        for form in forms:
            assert client.post("/alarms/rules/0", data=form).status_code == 303
        first, *others = site.live.rules.all()
        assert (first.when, first.event_id, first.channels) == (UpdateAbove(worth=0.4), "storm", (1,))
        assert (first.quiet, first.zone, first.most_an_hour) == (QuietHours(1320, 420), "Europe/Madrid", 3)
        assert [one.when for one in others] == [
            ValueRose(share=0.25, attributes=("deaths", "injuries")),
            EntityNew(top=2),
            SourceSilent(source="The Wire", after_s=7200),
        ]
        assert others[2].event_id == ""
        page = text_of(client.get("/alarms").text)
        for words in (
            "updates with a confidence of 0.4 or more, quiet from 22:00 to 07:00 (Europe/Madrid), at most 3 an hour",
            "deaths, injuries up by 25%",
            "new names in the top 2 of the day",
            "nothing from The Wire for 2h",
            "storm in the north Hook",
            "no channel",
        ):
            assert words in page
        # A form that is sent back as it stands changes nothing.
        for rule in site.live.rules.all():
            page = client.get(f"/alarms/rules/{rule.id}").text
            client.post(f"/alarms/rules/{rule.id}", data=fields_of(page))
            assert site.live.rules.find(rule.id) == rule
        client.post("/alarms/rules/1/rest")
        assert site.live.rules.all()[0].disabled_ms is not None
        assert "paused" in client.get("/alarms").text
        client.post("/alarms/rules/1/rest")
        assert site.live.rules.all()[0].disabled_ms is None
        client.post("/alarms/rules/1/remove")
        assert [one.name for one in site.live.rules.all()] == ["b", "c", "d"]

    def test_what_cannot_be_is_said_and_kept_in_the_form(self, site: Site, client: TestClient) -> None:
        wrong = [
            ({"worth": "1.5"}, "The confidence must be from 0 to 1"),
            ({"worth": "much"}, "Enter a number for the confidence"),
            ({"worth": "nan"}, "Enter a number for the confidence"),
            ({"kind": "value", "share": "-1"}, "a rise of 0 to 10000 percent"),
            (
                {"kind": "value", "attributes": "deaths, dead"},
                "no figure 'dead'. Enter names of deaths, injuries,",
            ),
            ({"kind": "value", "attributes": "location"}, "no figure 'location'"),
            ({"kind": "entity", "top": "0"}, "the top 1 to 50"),
            ({"kind": "silence", "after": "5s"}, "from 1m (a minute)"),
            ({"kind": "silence", "after": "soon"}, "expected a number and a unit"),
            ({"kind": "else"}, "updates, figures"),
            ({"zone": "Mars/Base"}, "one such as UTC"),
            ({"zone": "../../etc/passwd"}, "one such as UTC"),
            ({"quiet_from": "22:00"}, "one such as 22:00"),
            ({"quiet_from": "25:00", "quiet_until": "7:00"}, "one such as 22:00"),
            ({"quiet_from": "7:00", "quiet_until": "07:00"}, "a start and a different end"),
            ({"most": "-1"}, "0 for no limit"),
            ({"name": " "}, "1 to 64 printable"),
        ]
        for change, words in wrong:
            answer = client.post("/alarms/rules/0", data={**RULE, **change})
            assert answer.status_code == 422, change
            assert words in text_of(answer.text), change
        assert site.live.rules.all() == []
        assert client.get("/alarms/rules/9").status_code == 404
        assert client.post("/alarms/rules/9", data=RULE).status_code == 404


def fields_of(page: str) -> dict[str, str | list[str]]:
    """What a browser sends of the form of a page where nobody changes anything."""
    fields: dict[str, str | list[str]] = {}
    main = page[page.index("<main") :]
    for tag in re.findall(r"<input [^>]*>", main):
        attributes = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if attributes.get("type") in ("radio", "checkbox") and "checked" not in tag:
            continue
        name, value = attributes["name"], html.unescape(attributes.get("value", ""))
        before = fields.get(name)
        fields[name] = (
            [*before, value] if isinstance(before, list) else value if before is None else [before, value]
        )
    for name, options in re.findall(r'<select name="(\w+)">(.*?)</select>', main, re.DOTALL):
        values = re.findall(r'<option value="([^"]*)"( selected)?', options)
        chosen = next((value for value, selected in values if selected), values[0][0])
        fields[name] = html.unescape(chosen)
    return fields


class TestChannels:
    def test_an_address_and_its_secret_are_not_shown_where_all_look(
        self, site: Site, client: TestClient
    ) -> None:
        assert client.post("/alarms/channels/0", data=WEBHOOK).status_code == 303
        (channel,) = site.live.channels.all()
        assert channel.address == WEBHOOK["address"]
        assert len(channel.secret) > 40
        page = client.get("/alarms").text
        assert "https://hooks.example.org/…" in page
        assert "T0/secret" not in page
        assert channel.secret not in page
        page = client.get("/alarms/channels/1").text
        assert channel.secret in page
        assert "T0/secret" not in page
        # Left empty, the address stays; the secret does in any case.
        client.post("/alarms/channels/1", data={**WEBHOOK, "name": "Other", "address": ""})
        assert site.live.channels.all() == [AlarmChannel(**{**kept(channel), "name": "Other"})]  # type: ignore[arg-type]
        answer = client.post("/alarms/channels/1", data={**WEBHOOK, "kind": "mail", "address": ""})
        assert answer.status_code == 422

    def test_what_nothing_could_be_sent_to_is_refused(self, site: Site, client: TestClient) -> None:
        wrong = [
            ({"address": ""}, "such as https://"),
            ({"address": "ftp://example.org"}, "such as https://"),
            ({"address": "http://[::1"}, "such as https://"),
            ({"address": "https://a b"}, "such as https://"),
            ({"kind": "mail", "address": "smtp://mail.example.org/"}, "lacks a sender or a recipient"),
            ({"kind": "mail", "address": "smtp://m/?from=a@b&to=c@d%0aBcc:e@f"}, "is not an email address"),
            ({"kind": "mail", "address": "https://example.org"}, "not the address of a mail server"),
            (
                {"kind": "apprise", "address": "syslog://"},
                "Addresses of the kind syslog:// are not supported",
            ),
            ({"kind": "apprise", "address": "nothing"}, "not the address of a chat service"),
            ({"kind": "digest-file"}, "--digests"),
            (
                {"kind": "digest-mail", "address": "smtp://m/?from=a@b&to=c@d", "hour": "24"},
                "from 0 to 23",
            ),
            ({"kind": "fax"}, "no kind of channel 'fax'"),
        ]
        for change, words in wrong:
            answer = client.post("/alarms/channels/0", data={**WEBHOOK, **change})
            assert answer.status_code == 422, change
            assert words in text_of(answer.text), change
            typed = {**WEBHOOK, **change}
            kept_fields = fields_of(answer.text)
            assert (kept_fields["name"], kept_fields["address"]) == (typed["name"], typed["address"]), change
        assert site.live.channels.all() == []
        assert client.post("/alarms/channels/9/test").status_code == 404
        assert client.post("/alarms/channels/0/test").status_code == 404

    def test_a_digest_begins_with_what_comes_from_now_on(self, site: Site, client: TestClient) -> None:
        site.tell(update(1, event="storm"))
        address = "smtp://mail.example.org/?from=a@example.org&to=b@example.org"
        form = {"name": "D", "kind": "digest-mail", "address": address, "every": "hour", "zone": "UTC"}
        assert client.post("/alarms/channels/0", data=form).status_code == 303
        (channel,) = site.live.channels.all()
        settings = channel.settings
        assert (settings.every, settings.since_seq, settings.since_time) == (
            "hour",
            1,
            int(site.live.clock()),
        )
        assert "Digest by email, hourly" in text_of(client.get("/alarms").text)
        page = client.get("/alarms/channels/1").text
        client.post("/alarms/channels/1", data=fields_of(page))
        assert site.live.channels.all() == [channel]
        # No rule can send alarms to it.
        assert 'name="channel"' not in client.get("/alarms/rules/0").text

    def test_one_rests_and_goes(self, site: Site, client: TestClient) -> None:
        client.post("/alarms/channels/0", data=WEBHOOK)
        client.post("/alarms/channels/1/rest")
        assert site.live.channels.all()[0].disabled_ms is not None
        client.post("/alarms/channels/1/rest")
        assert site.live.channels.all()[0].disabled_ms is None
        client.post("/alarms/channels/1/remove")
        assert site.live.channels.all() == []


def kept(channel: AlarmChannel) -> dict[str, object]:
    return {name: getattr(channel, name) for name in AlarmChannel.__struct_fields__}


class TestDeliveries:
    def test_a_test_is_sent_and_what_became_of_it_is_shown(self, site: Site, client: TestClient) -> None:
        client.post("/alarms/channels/0", data=WEBHOOK)
        answer = client.post("/alarms/channels/1/test")
        assert answer.headers["location"] == "/alarms?sent=1#deliveries"
        assert "A test has been sent to Hook." in text_of(client.get("/alarms?sent=1").text)
        (delivery,) = site.live.outbox.latest()
        assert delivery.alarm.title == "Test of the channel Hook, sent by editor"
        (claimed,) = site.live.outbox.claim(1, 1, 60)
        site.live.outbox.failed(claimed, "answered 500 <b>", retry_s=None)
        page = client.get("/alarms").text
        assert "failed" in text_of(page)
        assert "answered 500 &lt;b&gt;" in page
        assert client.post("/alarms/deliveries/1/again").status_code == 303
        (claimed,) = site.live.outbox.claim(1, 1, 60)
        site.live.outbox.arrived(claimed)
        assert "delivered" in text_of(client.get("/alarms?channel=1").text)
        assert "does not send alarms" in client.get("/alarms").text

    def test_what_strangers_wrote_is_text(self, site: Site, client: TestClient) -> None:
        from tidings.live.alarms.watch import RuleWatch

        client.post("/alarms/channels/0", data={**WEBHOOK, "name": "<i>hook</i>"})
        client.post("/alarms/rules/0", data={**RULE, "name": "<b>all</b>", "channel": "1"})
        site.run.beside.append(RuleWatch(site.live, "live", 1).beside)
        site.tell(update(1, '<script>alert(1)</script> "quoted"', event="storm"))
        pages = [client.get(path).text for path in ("/alarms", "/alarms/rules/1", "/alarms/channels/1")]
        for page in pages:
            for tag in ("<script>alert", "<b>", "<i>"):
                assert tag not in page
        assert "&lt;script&gt;alert(1)" in pages[0]
        assert 'href="/events/storm/updates/1"' in pages[0]


PATHS = cases(__file__, "paths")


def test_only_who_may_change_something_sees_any_of_it(site: Site) -> None:
    with client_of(site) as client:
        for method, path in PATHS:
            answer = client.request(method, path, data={**RULE, **WEBHOOK} if method == "POST" else None)
            assert answer.status_code == 303, path
            assert answer.headers["location"].startswith("/sign-in"), path
        for path in (one for method, one in PATHS if method == "POST"):
            answer = client.post(path, data={**RULE, **WEBHOOK}, headers={"origin": "https://evil.example"})
            assert answer.status_code == 403, path
    with client_of(site, LiveSiteSettings(read_only=True)) as client:
        assert {client.request(method, path).status_code for method, path in PATHS} == {403}
    assert site.live.channels.all() == []


ADDRESSES = cases(__file__, "addresses")


@every("address, kind, shown", ADDRESSES)
def test_addresses_are_masked(address: str, kind: str, shown: str) -> None:
    from tidings.live.alarms.channel_types import shown_address

    assert shown_address(AlarmChannel(name="c", kind=kind, address=address)) == shown  # type: ignore[arg-type]
