// What is asked of the server, and sent to it, as JSON.
export const base = new URL("../../", import.meta.url).pathname.replace(/\/$/, ""); // where the site begins

// What is there; null where it cannot be had.
export async function getJson(path) {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

export const postJson = (path, body, options = {}) =>
  fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), ...options });
