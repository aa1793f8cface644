import { describe, expect, test } from "vitest";
import { base, post, refusal, signUp, startTestServer, uploadForm } from "#tests/server/harness.ts";
import { bodies, clientId } from "#tests/server/http/bodies.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { save } from "#tests/server/transcription/saved.ts";

/** Invalid values: not a number, too large, negative, of another type, with another prototype, invalid Unicode. */
const oddTexts = [
  "",
  " ",
  "NaN",
  "1e309",
  "-1",
  "0",
  "1.5",
  "9223372036854775808",
  "\0",
  "a\0b",
  "\ud800",
  "__proto__",
  "%",
  "'",
  '"',
  "../x",
  "2024-01-01T00:00:00+23",
  "0000-00-00",
  "x".repeat(3000),
];
const oddValues: unknown[] = [...oddTexts, null, true, -1, 1e308, 2 ** 63, 0.1, [], [[]], ["a"], {}, { a: 1 }];

/** The query parameters of lists and files. */
const parameters = [
  ...["page", "limit", "search", "days", "format", "lng", "topics", "language", "generated", "status", "sort", "slug", "id"],
  ...["title", "offset", "kind", "state", "user", "action", "from", "to", "plan", "role", "order", "popup", "code", "declined"],
];

/** These calls depend on other servers, so a gateway error is a valid answer. */
const isFailure = (status: number) => status >= 500 && ![502, 503, 504].includes(status);

async function setUp() {
  const lines: string[] = [];
  const server = await startTestServer({ env: { LOG_LEVEL: "error" }, writeLog: (line) => lines.push(line) });
  const superuser = await signUpSuperuser(server);
  const { id } = await save(superuser, { title: "real", text: "one two" });
  const calls = [...new Set(server.routes.map(({ method, path }) => `${method} ${path}`))];
  /** The path with its parameters in place. */
  const filled = (path: string, value: string) => path.replace(/:\w+(\{.*\})?/g, encoded(value));
  return { server, superuser, id, calls, filled, lines };
}

/** As a program writes what is no text, too. */
const encoded = (value: string) => encodeURIComponent(value.toWellFormed()) || "-";

describe("no call fails", { timeout: 240_000 }, () => {
  test("whatever stands in its path and its query", async () => {
    const { superuser, calls, filled, id, lines } = await setUp();
    const failed: string[] = [];
    for (const call of calls.filter((one) => one.startsWith("GET ") && !/events$/.test(one))) {
      const path = call.slice(4);
      const paths = path.includes(":") ? oddTexts.map((odd) => filled(path, odd)) : [];
      const here = filled(path, id);
      const queries = oddTexts.map(
        (odd) =>
          `${here}?${parameters
            .map((name) => `${name}=${encoded(odd)}`)
            .join("&")
            .slice(0, 7000)}`,
      );
      // One at a time: the first that is refused must not hide the others.
      const single = parameters.flatMap((name) => [
        `${here}?${name}=-1`,
        `${here}?${name}=1e309`,
        `${here}?${name}=%00&${name}=a`,
      ]);
      for (const odd of [...paths, ...queries, ...single]) {
        const answer = await superuser.call("GET", odd, undefined, {
          Range: "bytes=-9999999999999999-1",
          "Last-Event-ID": "1e309",
        });
        await answer.body?.cancel();
        if (isFailure(answer.status)) failed.push(`${answer.status} GET ${odd.slice(0, 200)}`);
      }
    }
    expect(failed).toEqual([]);
    expect(lines).toEqual([]);
  });

  test("whatever stands in its body", async () => {
    const { superuser, calls, filled, id, lines } = await setUp();
    const failed: string[] = [];
    for (const call of calls.filter((one) => !one.startsWith("GET "))) {
      const [method = "", path = ""] = call.split(" ");
      const body = bodies[call];
      const all = Object.keys(body ?? {}).flatMap((field) => oddValues.map((odd) => ({ ...body, [field]: odd })));
      const own = [null, [], "x", 1, JSON.parse('{"__proto__":{"a":1}}'), ...all, ...(body === undefined ? [] : [body])];
      for (const odd of own) {
        const answer = await superuser.call(method, filled(path, id), odd);
        await answer.body?.cancel();
        if (isFailure(answer.status)) failed.push(`${answer.status} ${call} ${JSON.stringify(odd).slice(0, 200)}`);
      }
    }
    expect(failed).toEqual([]);
    expect(lines).toEqual([]);
  });

  test("and every call that takes JSON is in the table above", async () => {
    const { calls } = await setUp();
    expect(Object.keys(bodies).filter((call) => !calls.includes(call))).toEqual([]);
  });
});

describe("refused, and no failure of ours", () => {
  test.each(["2024-01-01T00:00:00+23", "2024-02-31T99:00:00Z", "0000-00-00T00:00:00Z"])(
    "a moment that does not exist: %s",
    async (date) => {
      const person = await signUp(await startTestServer());
      const final = { clientId, title: "", text: "x", segments: [], sourceLanguage: "en", targetLanguage: null, date };
      expect(await refusal(await person.call("POST", `${base}/save-final-transcription`, final))).toBe("400 badRequest");
    },
  );

  test("a boundary that is none", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    for (const boundary of ["x".repeat(5_000), '""', "x".repeat(71)]) {
      const headers = { Authorization: `Bearer ${person.token}`, "Content-Type": `multipart/form-data; boundary=${boundary}` };
      const answer = await fetch(`${server.apiUrl}${base}/upload-and-transcribe`, { method: "POST", headers, body: "x" });
      expect(await refusal(answer)).toBe("400 badRequest");
    }
    expect((await person.call("POST", `${base}/upload-and-transcribe`, uploadForm(new Uint8Array(0)))).status).toBe(422);
  });

  test.each(["Upload-Concat", "Upload-Defer-Length", "Upload-Checksum"])("the extension of tus behind %s", async (name) => {
    const person = await signUp(await startTestServer());
    const headers = { "Tus-Resumable": "1.0.0", [name]: name === "Upload-Concat" ? "partial" : "1" };
    expect(await refusal(await person.call("POST", "/api/v1/uploads", undefined, headers))).toBe("400 badRequest");
  });

  test("a sign-in without a body", async () => {
    const server = await startTestServer();
    expect(await refusal(await fetch(`${server.apiUrl}/auth/login`, { method: "POST" }))).toBe("415 badRequest");
    expect(await refusal(await post(server, "/auth/login", null))).toBe("400 badRequest");
  });
});
