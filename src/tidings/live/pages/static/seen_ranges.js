// Ranges of updates, [event, from, to] with both ends in them; those that touch or overlap are joined into one.
export function joinRanges(ranges) {
  const sorted = [...ranges].sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1]));
  const joined = [];
  for (const [event, from, to] of sorted) {
    const last = joined.at(-1);
    if (last && last[0] === event && from <= last[2] + 1) last[2] = Math.max(last[2], to);
    else joined.push([event, from, to]);
  }
  return joined;
}
