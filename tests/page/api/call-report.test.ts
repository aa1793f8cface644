import { expect, test } from "vitest";
import { reportOf } from "#src/api/call-report.ts";

const welsh = { code: "cy", name: "Welsh", nativeName: "Cymraeg" };
const { signal } = new AbortController();

/** Each reading of the clock is 5 ms later. */
function asking(answer: () => Promise<Response>) {
  let time = 0;
  const requests: { url: string; init: RequestInit | undefined }[] = [];
  const ask = (url: string | URL | Request, init?: RequestInit) => {
    requests.push({ url: String(url), init });
    return answer();
  };
  const now = () => {
    time += 5;
    return time;
  };
  return { base: "http://api", ask, now, requests };
}

test("reports a call's status, time, answer and accepted languages", async () => {
  const api = asking(async () => Response.json([welsh, 3]));
  expect(await reportOf("/languages", api, signal)).toEqual({
    path: "/languages",
    status: 200,
    took: 5,
    raw: JSON.stringify([welsh, 3]),
    isOk: true,
    accepted: { shape: "array", languages: [welsh], leftOut: 1 },
  });
  expect(api.requests).toMatchObject([{ url: "http://api/languages", init: { cache: "no-store", credentials: "include" } }]);
});

test.each([
  ["no answer", () => Promise.reject(new TypeError("Failed to fetch")), { status: 0, raw: "", isOk: false }],
  ["a refusal, whatever is in it", async () => Response.json([welsh], { status: 500 }), { status: 500, isOk: false }],
  ["no JSON", async () => new Response("<h1>"), { status: 200, raw: "<h1>", isOk: true }],
  [
    "an answer that breaks off",
    async () => new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError("network error")) })),
    { status: 200, raw: "", isOk: false },
  ],
])("the report of a call shows no languages for %s", async (_, answer, expected) => {
  expect(await reportOf("/languages", asking(answer), signal)).toMatchObject({ ...expected, took: 5, accepted: null });
});

test("reports nothing for an aborted call", async () => {
  const abort = new AbortController();
  abort.abort(new DOMException("left", "AbortError"));
  const api = asking(() => Promise.reject(abort.signal.reason));
  await expect(reportOf("/", api, abort.signal)).rejects.toMatchObject({ name: "AbortError" });
});
