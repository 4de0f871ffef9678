// Places in a text as the server counts them, in whole characters; the browser counts halves of surrogate pairs.
const PAIRS = /[\ud800-\udfff]/;

// How many characters stand before a place of the browser's.
export const countChars = (text, offset = text.length) => (PAIRS.test(text) ? [...text.slice(0, offset)].length : offset);

// The browser's place before which so many characters stand.
export const offsetOf = (text, chars) => (PAIRS.test(text) ? [...text].slice(0, chars).join("").length : chars);

export const sliceChars = (text, start, end) => text.slice(offsetOf(text, start), end === undefined ? undefined : offsetOf(text, end));

// Without the white space at both ends of start..end; `chars` are the characters of the text.
export function trimSpan(chars, start, end) {
  while (start < end && !chars[start].trim()) start += 1;
  while (end > start && !chars[end - 1].trim()) end -= 1;
  return { start, end };
}
