import { number, object, undefined_ } from "valibot";
import { describe, expect, test } from "vitest";
import { ApiError, createCall, createPlainSend, createSend, findApiBase, type TokenSource } from "#src/api/http.ts";

interface Request {
  url: string;
  init: RequestInit;
}

/** Gives one answer after another and records each request. */
function fakeFetch(...answers: (Response | Error)[]) {
  const requests: Request[] = [];
  const ask = async (url: string | URL | globalThis.Request, init: RequestInit = {}) => {
    requests.push({ url: String(url), init });
    const answer = answers.shift();
    if (answer === undefined) throw new TypeError("Failed to fetch");
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { requests, send: createPlainSend("http://api", ask) };
}

const bearer = ({ init }: Request) => new Headers(init.headers).get("authorization");
const refused = (code = "unauthorized") => Response.json({ message: "No.", code }, { status: 401 });

function tokens(token: string | undefined, renewed: string | Error = "new") {
  const asked: string[] = [];
  const source: TokenSource = {
    live: async () => token,
    held: () => token,
    renewed: async (from) => {
      asked.push(from);
      if (renewed instanceof Error) throw renewed;
      return renewed;
    },
  };
  return { asked, source };
}

describe("failed request", () => {
  test('a call without an answer rejects with "network"', async () => {
    const error = await fakeFetch()
      .send("/x")
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 0, code: "network" });
  });

  // SPEC 9: "none; success status is 200-299"
  // SPEC 3: "Error responses carry a message field."
  test.each([
    [
      Response.json({ message: "Full.", code: "storageFull" }, { status: 507 }),
      { status: 507, code: "storageFull", message: "Full.", said: "code" },
    ],
    [
      Response.json({ message: "Teapot." }, { status: 418 }),
      { status: 418, code: "internal", message: "Teapot.", said: "message" },
    ],
    [
      Response.json({ message: "New kind.", code: "notKnownHere" }, { status: 404 }),
      { status: 404, code: "notOffered", said: "message" },
    ],
    [new Response("<h1>Bad gateway</h1>", { status: 502 }), { status: 502, code: "internal", said: undefined }],
    [new Response("", { status: 429 }), { status: 429, code: "tooManyRequests", retryAfter: undefined }],
    [
      Response.json({ message: "Slow down.", code: "tooManyRequests" }, { status: 429, headers: { "Retry-After": "900" } }),
      { status: 429, code: "tooManyRequests", said: "code", retryAfter: 900 },
    ],
    [new Response("", { status: 503, headers: { "Retry-After": "30" } }), { status: 503, code: "internal", retryAfter: 30 }],
    [
      new Response("", { status: 429, headers: { "Retry-After": "Fri, 20 Nov 2026 12:00:00 GMT" } }),
      { status: 429, code: "tooManyRequests", retryAfter: undefined },
    ],
    [new Response(null, { status: 304 }), { status: 304, code: "internal" }],
  ])("reports an answer outside 200-299 as an ApiError (%#)", async (answer, expected) => {
    const error = await fakeFetch(answer)
      .send("/x")
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject(expected);
  });

  test("an aborted call rejects with its abort error", async () => {
    const abort = new AbortController();
    abort.abort(new DOMException("gone", "AbortError"));
    const { send, requests } = fakeFetch();
    await expect(send("/x", { signal: abort.signal })).rejects.toMatchObject({ name: "AbortError" });
    expect(requests).toEqual([]);
  });
});

describe("API call", () => {
  const schema = object({ count: number() });

  // SPEC 7: "and a JSON content type"
  test("a call sends JSON and validates the answer", async () => {
    const { send, requests } = fakeFetch(Response.json({ count: 3, more: true }));
    expect(await createCall(send)("/x", { json: { a: 1 }, schema })).toEqual({ count: 3 });
    expect(requests[0]).toMatchObject({ url: "http://api/x", init: { method: "POST", body: '{"a":1}', credentials: "include" } });
    expect(new Headers(requests[0]?.init.headers).get("content-type")).toBe("application/json");
  });

  test("a call uses GET if there is nothing to send", async () => {
    const { send, requests } = fakeFetch(Response.json({ count: 3 }));
    await createCall(send)("/x", { schema });
    expect(requests[0]?.init.method).toBe("GET");
  });

  test("a call returns undefined for an empty answer", async () => {
    const { send } = fakeFetch(new Response(null, { status: 204 }));
    expect(await createCall(send)("/x", { method: "DELETE", schema: undefined_() })).toBeUndefined();
  });

  test.each([Response.json({ count: "3" }), new Response("{"), new Response("")])(
    "a call rejects an answer with a wrong shape (%#)",
    async (answer) => {
      const { send } = fakeFetch(answer);
      await expect(createCall(send)("/x", { schema })).rejects.toMatchObject({ status: 200, code: "internal" });
    },
  );

  test("a call whose answer breaks off rejects like one without an answer", async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new TypeError("network error")) });
    const { send } = fakeFetch(new Response(body));
    await expect(createCall(send)("/x", { schema })).rejects.toMatchObject({ status: 0, code: "network" });
  });
});

describe("API call with a session", () => {
  // SPEC 7: "Authenticated calls send an Authorization header of the form Bearer plus the token"
  test("a call sends the access token", async () => {
    const { send, requests } = fakeFetch(new Response("{}"));
    await createSend(send, tokens("t").source)("/x", { headers: { "X-A": "1" } });
    expect(requests.map(bearer)).toEqual(["Bearer t"]);
    expect(new Headers(requests[0]?.init.headers).get("x-a")).toBe("1");
  });

  // SPEC 4 Unauthorised answers: "An answer of 401 triggers one refresh attempt"
  test("refreshes once after a 401 and repeats the request with the new token", async () => {
    const { send, requests } = fakeFetch(refused(), new Response("{}"));
    const { asked, source } = tokens("old");
    expect((await createSend(send, source)("/x", { method: "POST", body: "b" })).ok).toBe(true);
    expect(asked).toEqual(["old"]);
    expect(requests.map(bearer)).toEqual(["Bearer old", "Bearer new"]);
    expect(requests[1]?.init).toMatchObject({ method: "POST", body: "b" });
  });

  test("a call rejects with the second 401", async () => {
    const { send, requests } = fakeFetch(refused(), refused());
    await expect(createSend(send, tokens("old").source)("/x")).rejects.toMatchObject({ status: 401 });
    expect(requests).toHaveLength(2);
  });

  test("a call rejects with the error of a failed refresh", async () => {
    const { send, requests } = fakeFetch(refused());
    const { source } = tokens("old", new ApiError(401, "unauthorized"));
    await expect(createSend(send, source)("/x")).rejects.toMatchObject({ status: 401, code: "unauthorized" });
    expect(requests).toHaveLength(1);
  });

  test("a call does not refresh the token after other failures", async () => {
    const { send } = fakeFetch(Response.json({ message: "No." }, { status: 403 }));
    const { asked, source } = tokens("t");
    await expect(createSend(send, source)("/x")).rejects.toMatchObject({ code: "forbidden" });
    expect(asked).toEqual([]);
  });

  // SPEC 4 Unauthorised answers: "or when the request was to an /auth/ endpoint"
  test("does not refresh after a 401 of an /auth/ call", async () => {
    const { send } = fakeFetch(refused("badCredentials"));
    const { asked, source } = tokens("t");
    await expect(createSend(send, source)("/auth/login", { method: "POST" })).rejects.toMatchObject({ code: "badCredentials" });
    expect(asked).toEqual([]);
  });

  test.each([
    ["a file", () => new File(["spoken"], "a.wav")],
    ["a stream", () => new Blob(["spoken"]).stream()],
  ])("a call keeps %s in the repeated request", async (_, body) => {
    const { send, requests } = fakeFetch(refused(), new Response("{}"));
    await createSend(send, tokens("old").source)("/x", { method: "POST", body: body() });
    const sent = requests.map(({ init }) => new Response(init.body ?? "nothing").text());
    expect(await Promise.all(sent)).toEqual(["spoken", "spoken"]);
  });

  test("a call sends no token while nobody is signed in", async () => {
    const { send, requests } = fakeFetch(new Response("{}"));
    await createSend(send, tokens(undefined).source)("/x");
    expect(requests.map(bearer)).toEqual([null]);
  });
});

// SPEC 7: "The API base is a local address on port 3000"
describe("API base address", () => {
  test.each([
    ["what the page's server says comes first", "http://localhost:3101/", "localhost", undefined, "http://localhost:3101"],
    ["port 3000 of this machine", "", "localhost", "https://api.example.org", "http://localhost:3000"],
    ["port 3000 of an address", undefined, "192.168.1.7", undefined, "http://192.168.1.7:3000"],
    ["of a newer address too", " ", "[::1]", undefined, "http://[::1]:3000"],
    ["the hosted one", "", "parlance.example", "https://api.example.org", "https://api.example.org"],
    ["the page's own origin", "", "parlance.example", undefined, ""],
  ])("API base address is found: %s", (_, meta, hostname, hosted, base) => {
    expect(findApiBase({ meta, hostname, hosted })).toBe(base);
  });
});
