// Times are written in UTC, wherever the reader is.
process.env.TZ = "Pacific/Auckland";
import assert from "node:assert/strict";
import { test } from "node:test";
import { clock, date, dayWords, fromField, isoDate, isoTime, stamp, toField, when } from "tidings/times.js";

const TRAIN = Date.UTC(2013, 6, 24, 18, 42, 5) / 1000; // already the 25th in Auckland

test("a moment is written in every form that pages use", () => {
  assert.equal(isoTime(TRAIN), "2013-07-24T18:42:05.000Z");
  assert.equal(isoDate(TRAIN), "2013-07-24");
  assert.equal(clock(TRAIN), "18:42");
  assert.equal(date(TRAIN), "24 Jul 2013");
  assert.equal(when(TRAIN), "24 Jul 2013 18:42");
  assert.equal(stamp(TRAIN), "2013-07-24 18:42:05");
  assert.equal(dayWords(TRAIN), "Wednesday 24 July 2013");
});

test("months have three letters, as the server writes them", () => {
  const months = Array.from({ length: 12 }, (_, month) => date(Date.UTC(2024, month, 1) / 1000).split(" ")[1]);
  assert.deepEqual(months.join(" "), "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec");
});

test("an unknown time is written as nothing, the beginning of time is not", () => {
  for (const unknown of [null, undefined]) {
    assert.equal(when(unknown), "");
    assert.equal(toField(unknown), "");
  }
  assert.equal(when(0), "1 Jan 1970 00:00");
});

test("a field gives back the time that it shows", () => {
  assert.equal(toField(TRAIN), "2013-07-24T18:42");
  assert.equal(fromField("2013-07-24T18:42"), TRAIN - 5);
  assert.equal(fromField("2013-07-24T18:42:05"), TRAIN);
  assert.equal(fromField(""), null);
  assert.equal(fromField(toField(0)), 0);
});
