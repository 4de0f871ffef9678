// Characters, words that are searched for, and texts and addresses of strangers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countChars, offsetOf, sliceChars, trimSpan } from "tidings/characters.js";
import { finder, wordsOf } from "tidings/search.js";
import { clean, linkable, outletOf } from "tidings/update_items.js";

const SHIP = "🚢 sank 𝒙 off"; // two characters of two halves each

test("places count whole characters", () => {
  assert.equal(countChars(SHIP), 12);
  assert.equal(countChars(SHIP, SHIP.indexOf("sank")), 2);
  assert.equal(offsetOf(SHIP, 2), 3);
  assert.equal(sliceChars(SHIP, 2, 6), "sank");
  assert.equal(sliceChars(SHIP, 7, 8), "𝒙");
  assert.equal(sliceChars(SHIP, 9), "off");
  for (let place = 0; place <= 12; place += 1) assert.equal(countChars(SHIP, offsetOf(SHIP, place)), place);
});

test("texts without pairs are counted as the browser does", () => {
  assert.equal(countChars("dam burst", 3), 3);
  assert.equal(offsetOf("dam burst", 3), 3);
  assert.equal(sliceChars("dam burst", 4, 9), "burst");
});

test("a span loses the white space at its ends alone", () => {
  const chars = [..." a b \n"];
  assert.deepEqual(trimSpan(chars, 0, chars.length), { start: 1, end: 4 });
  assert.deepEqual(trimSpan(chars, 4, 6), { start: 6, end: 6 });
});

test("a search wants all words, in any case and order", () => {
  const fits = finder("  BURST dam\n");
  assert.ok(fits("The Dam has burst"));
  assert.ok(!fits("The dam holds"));
  assert.ok(finder("")("anything") && finder(" \t")(""));
  assert.deepEqual(wordsOf(" One\u00a0TWO "), ["one", "two"]);
});

test("controls and marks that turn the direction are shown as what they are", () => {
  assert.equal(clean("a\tb\nc\u2028d"), "a b c d");
  assert.equal(clean("safe\u202egnp.exe\u001b[31m"), "safe\ufffdgnp.exe\ufffd[31m");
  assert.equal(clean("<b>&amp;</b> é 🚢"), "<b>&amp;</b> é 🚢");
});

test("only addresses of the web become links", () => {
  for (const url of ["https://news.test/a?b=c#d", "HTTP://NEWS.TEST", "http://news.test:8080/"]) assert.ok(linkable(url), url);
  const refused = ["javascript:alert(1)", "ftp://news.test/", "data:text/html,x", "//news.test/", "https://me@news.test/", "https://news.test/a b",
    'https://news.test/"><script>', "https://news.test/\u202e", "", ` https://news.test/`, `https://news.test/${"a".repeat(2000)}`];
  for (const url of refused) assert.ok(!linkable(url), url);
});

test("an outlet is named by itself, or by its address", () => {
  assert.equal(outletOf({ source: "Coast\u0000Wire", url: "https://other.test/" }), "Coast\ufffdWire");
  assert.equal(outletOf({ url: "https://WWW.News.test/a" }), "news.test");
  assert.equal(outletOf({ url: "javascript:alert(1)" }), "");
  assert.equal(outletOf({}), "");
});
