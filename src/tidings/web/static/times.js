// Times as the server writes them, in UTC. All are given as seconds; an unknown one is null.
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

export const isoTime = (seconds) => new Date(seconds * 1000).toISOString();
export const isoDate = (seconds) => isoTime(seconds).slice(0, 10);
export const clock = (seconds) => isoTime(seconds).slice(11, 16);

// `24 Jul 2013`.
export function date(seconds) {
  const moment = new Date(seconds * 1000);
  return `${moment.getUTCDate()} ${MONTHS[moment.getUTCMonth()]} ${moment.getUTCFullYear()}`;
}

// `24 Jul 2013 18:42`; nothing for an unknown time.
export const when = (seconds) => (seconds === null || seconds === undefined ? "" : `${date(seconds)} ${clock(seconds)}`);

// `Wednesday 24 July 2013`.
export function dayWords(seconds) {
  const moment = new Date(seconds * 1000);
  const part = (options) => moment.toLocaleString("en-US", { timeZone: "UTC", ...options });
  return `${part({ weekday: "long" })} ${moment.getUTCDate()} ${part({ month: "long" })} ${moment.getUTCFullYear()}`;
}

// `2013-07-24 18:42:05`.
export const stamp = (seconds) => isoTime(seconds).slice(0, 19).replace("T", " ");

// The value of a datetime-local field that shows a time, to the minute, and back; null where it is empty.
export const toField = (seconds) => (seconds === null || seconds === undefined ? "" : isoTime(seconds).slice(0, 16));
export const fromField = (value) => (value ? Math.floor(Date.parse(`${value}Z`) / 1000) : null);
