import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { ErrorBody } from "#contract/index.ts";
import { fuzz } from "#tests/fixtures/fuzz.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { base, post, refusal, signUp, startTestServer, uploadForm } from "#tests/server/harness.ts";
import { bodies, clientId } from "#tests/server/http/bodies.ts";
import {
  hostileSample,
  hostileValues,
  injected,
  oddBodies,
  oddHeaders,
  oddTexts,
  oddValues,
} from "#tests/server/http/odd-values.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { save } from "#tests/server/transcription/saved.ts";

// Every call with every odd value; what each call refuses by its rules is in its feature's tests.

/** The query parameters of lists and files. */
const parameters = [
  ...["page", "limit", "search", "days", "format", "lng", "topics", "language", "generated", "status", "sort", "slug", "id"],
  ...[
    "title",
    "offset",
    "kind",
    "state",
    "user",
    "action",
    "from",
    "to",
    "plan",
    "role",
    "order",
    "popup",
    "code",
    "declined",
    "q",
  ],
];

/** These calls need something that is not set up here: its absence is a valid answer. */
const dependent = /^(POST \/admin\/blog\/generate|POST \/api\/v1\/translations|POST \S+\/insights|POST \S+\/search\/answer)/;

/**
 * Reads an answer.
 * @returns the fault: a failure of the server, or a refusal without a reason; undefined if there is none
 */
async function wrongWith(call: string, answer: Response): Promise<string | undefined> {
  if (answer.status < 400) return void (await answer.body?.cancel());
  const text = await answer.text();
  if (answer.status >= 500 && !(dependent.test(call) && [502, 503, 504].includes(answer.status)))
    return `${answer.status} ${text}`;
  // A HEAD or a body that the connection ended with has none.
  return v.safeParse(v.pipe(v.string(), v.parseJson(), ErrorBody), text).success
    ? undefined
    : `${answer.status} without a message`;
}

/** A call that does not end is a failure, too. */
const patience = timeLimit(20_000);
function inTime(answer: Promise<Response>): Promise<Response> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("no answer")), patience);
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
}

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

/** Encodes values that are not well-formed text, as a program would. */
const encoded = (value: string) => encodeURIComponent(value.toWellFormed()) || "-";

describe(`odd values in calls (seed ${fuzz.seed})`, () => {
  test("odd values in calls cause no failure in path and query", async () => {
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
      // One parameter at a time: the first refused one must not hide the others.
      const single = parameters.flatMap((name) => [
        `${here}?${name}=-1`,
        `${here}?${name}=1e309`,
        `${here}?${name}=%00&${name}=a`,
      ]);
      for (const odd of [...paths, ...queries, ...single]) {
        const headers = { Range: "bytes=-9999999999999999-1", "Last-Event-ID": "1e309" };
        const wrong = await wrongWith(call, await inTime(superuser.call("GET", odd, undefined, headers)));
        if (wrong !== undefined) failed.push(`${wrong} GET ${odd.slice(0, 200)}`);
      }
    }
    expect(failed).toEqual([]);
    expect(lines).toEqual([]);
  });

  // PROMISE security: Every call refuses hostile values in words, and checks who calls
  test("odd values in calls cause no failure in the body", async () => {
    const { superuser, calls, filled, id, lines } = await setUp();
    const failed: string[] = [];
    let turn = fuzz.seed;
    for (const call of calls.filter((one) => !one.startsWith("GET "))) {
      const [method = "", path = ""] = call.split(" ");
      const body = bodies[call];
      const fields = Object.keys(body ?? {});
      const odd = fields.flatMap((field) => oddValues.map((value) => ({ ...body, [field]: value })));
      const hostile = fields.flatMap((field) =>
        Array.from({ length: hostileSample }, () => ({ ...body, [field]: hostileValues[turn++ % hostileValues.length] })),
      );
      const missing = fields.map((field) => ({ ...body, [field]: undefined }));
      const whole = body === undefined ? [] : [body, { ...injected, ...body }];
      const none = [null, [], "x", 1, JSON.parse('{"__proto__":{"a":1}}'), injected];
      for (const sent of [...none, ...missing, ...odd, ...hostile, ...whole]) {
        const wrong = await wrongWith(call, await inTime(superuser.call(method, filled(path, id), sent)));
        if (wrong !== undefined) failed.push(`${wrong} ${call} ${JSON.stringify(sent).slice(0, 200)}`);
      }
    }
    expect(failed).toEqual([]);
    expect(lines).toEqual([]);
    // The session is still the superuser's.
    expect((await superuser.call("GET", "/admin/users")).status).toBe(200);
  });

  test("odd values in calls cause no failure as raw bytes of the body", async () => {
    const { server, superuser, calls, filled, id, lines } = await setUp();
    const failed: string[] = [];
    for (const call of calls.filter((one) => !one.startsWith("GET "))) {
      const [method = "", path = ""] = call.split(" ");
      for (const body of oddBodies) {
        const headers = { Authorization: `Bearer ${superuser.token}`, "Content-Type": "application/json" };
        const answer = inTime(fetch(`${server.apiUrl}${filled(path, id)}`, { method, headers, body }));
        const wrong = await wrongWith(call, await answer);
        if (wrong !== undefined) failed.push(`${wrong} ${call} ${Buffer.from(body).toString("latin1").slice(0, 60)}`);
      }
    }
    expect(failed).toEqual([]);
    expect(lines).toEqual([]);
  });

  test("odd values in calls cause no failure in the headers", async () => {
    const { superuser, calls, filled, id, lines } = await setUp();
    const failed: string[] = [];
    for (const call of calls.filter((one) => !/events$/.test(one))) {
      const [method = "", path = ""] = call.split(" ");
      for (const headers of oddHeaders) {
        const wrong = await wrongWith(call, await inTime(superuser.call(method, filled(path, id), undefined, headers)));
        if (wrong !== undefined) failed.push(`${wrong} ${call} ${JSON.stringify(headers).slice(0, 200)}`);
      }
    }
    expect(failed).toEqual([]);
    expect(lines).toEqual([]);
  });

  test("odd values in calls grant no rights by naming a column", async () => {
    const { server, calls, filled, id } = await setUp();
    const person = await signUp(server);
    const before = await (await person.call("GET", "/users/me")).json();
    // A call that ends the session would end the test.
    for (const call of calls.filter((one) => !/^GET|^DELETE|password|logout|login|register/.test(one))) {
      const [method = "", path = ""] = call.split(" ");
      const { name: _, ...body } = bodies[call] ?? {};
      await (await person.call(method, filled(path, id), { ...body, language: "en", ...injected })).body?.cancel();
    }
    expect(await (await person.call("GET", "/users/me")).json()).toEqual(before);
    expect((await person.call("GET", "/admin/users")).status).toBe(401);
  });

  test("odd values in calls cover every call that takes JSON", async () => {
    const { calls } = await setUp();
    expect(Object.keys(bodies).filter((call) => !calls.includes(call))).toEqual([]);
  });
});

describe("invalid value in a request", () => {
  test.each(["2024-01-01T00:00:00+23", "2024-02-31T99:00:00Z", "0000-00-00T00:00:00Z"])(
    "refuses the impossible time %s",
    async (date) => {
      const person = await signUp(await startTestServer());
      const final = { clientId, title: "", text: "x", segments: [], sourceLanguage: "en", targetLanguage: null, date };
      expect(await refusal(await person.call("POST", `${base}/save-final-transcription`, final))).toBe("400 badRequest");
    },
  );

  test("refuses an invalid multipart boundary", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    for (const boundary of ["x".repeat(5_000), '""', "x".repeat(71)]) {
      const headers = { Authorization: `Bearer ${person.token}`, "Content-Type": `multipart/form-data; boundary=${boundary}` };
      const answer = await fetch(`${server.apiUrl}${base}/upload-and-transcribe`, { method: "POST", headers, body: "x" });
      expect(await refusal(answer)).toBe("400 badRequest");
    }
    expect((await person.call("POST", `${base}/upload-and-transcribe`, uploadForm(new Uint8Array(0)))).status).toBe(422);
  });

  test.each(["Upload-Concat", "Upload-Defer-Length", "Upload-Checksum"])("refuses the tus extension behind %s", async (name) => {
    const person = await signUp(await startTestServer());
    const headers = { "Tus-Resumable": "1.0.0", [name]: name === "Upload-Concat" ? "partial" : "1" };
    expect(await refusal(await person.call("POST", "/api/v1/uploads", undefined, headers))).toBe("400 badRequest");
  });

  test("refuses a sign-in without a body", async () => {
    const server = await startTestServer();
    expect(await refusal(await fetch(`${server.apiUrl}/auth/login`, { method: "POST" }))).toBe("415 badRequest");
    expect(await refusal(await post(server, "/auth/login", null))).toBe("400 badRequest");
  });
});
