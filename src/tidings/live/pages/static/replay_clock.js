// The clock of a service that follows, perhaps a replay faster than life: its speed is learned from what is heard of it, and
// between two looks it runs on at that. Times of the service are in seconds, those of this machine in milliseconds.
const LEARNED_AFTER_S = 5;
const SLACK_S = 30; // of this machine: where the next look finds so much less, the clock stands instead of going back

export function replayClock() {
  let first = null; // [time of the service, when it was heard]
  let last = null;
  let speed = 0;
  let shown = 0;

  // The time to show, or null where the clock is to stand.
  function show(seconds) {
    if (seconds < shown && shown - seconds < SLACK_S * speed) return null;
    shown = seconds;
    return seconds;
  }

  return {
    show,
    hear(seconds, atMs) {
      if (!first || seconds < first[0]) first = [seconds, atMs];
      const passed = (atMs - first[1]) / 1000;
      if (passed > LEARNED_AFTER_S) speed = (seconds - first[0]) / passed;
      last = [seconds, atMs];
    },
    now: (atMs) => (last && speed ? show(last[0] + (speed * (atMs - last[1])) / 1000) : null),
    stop() {
      first = last = null;
      speed = shown = 0;
    },
  };
}
