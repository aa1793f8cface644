import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { ErrorBody, type ShareRole } from "#contract/index.ts";
import { type Person, signUp } from "#tests/server/harness.ts";
import { shareWith } from "#tests/server/people/shared.ts";
import { bodies } from "./bodies.ts";
import { type Call, permissions } from "./permissions.ts";
import { sharedAnswers, sharedCalls } from "./shared-permissions.ts";
import { type Harness, openHarness, peopled, type VisitorName, visitors } from "./visitors.ts";

/** Sends bytes and forms unchanged, anything else as JSON, and does not follow redirects. */
function send({ token, apiUrl }: Person, method: string, { path = "/", body, headers = {} }: Call): Promise<Response> {
  const init = { method, redirect: "manual", headers: new Headers(headers) } as const;
  if (token !== "") init.headers.set("Authorization", `Bearer ${token}`);
  if (body === undefined) return fetch(new URL(path, apiUrl), init);
  if (!(body instanceof FormData || body instanceof Uint8Array)) init.headers.set("Content-Type", "application/json");
  const sent = body instanceof FormData ? body : body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
  return fetch(new URL(path, apiUrl), { ...init, body: sent });
}

/** The person with the right comes last, so the test notices if a refused call changed the data. */
const orderOf = (path: string): VisitorName[] =>
  path.startsWith("/admin/") ? [...visitors] : ["visitor", "ended", "other", "superuser", "user"];

/** Whether a refusal has an error body. */
async function isSaid(answer: Response): Promise<boolean> {
  if (answer.status >= 400) return v.safeParse(v.pipe(v.string(), v.parseJson(), ErrorBody), await answer.text()).success;
  await answer.body?.cancel();
  return true;
}

async function answersTo(harness: Harness, name: string): Promise<string> {
  const [method = "", route = ""] = name.split(" ");
  const { call } = permissions[name] ?? {};
  const made: Call = { path: route, body: bodies[name], ...(await call?.(harness)) };
  const answers = new Map<VisitorName, string>();
  for (const visitor of orderOf(route)) {
    const who = visitor === "ended" && route.startsWith("/admin/") ? harness.endedSuperuser : harness[visitor];
    const unique =
      name === "POST /auth/register" ? { body: { email: `${crypto.randomUUID()}@example.org`, password: "correct horse" } } : {};
    const answer = await send(who, method, { ...made, ...unique });
    answers.set(visitor, `${answer.status}${(await isSaid(answer)) ? "" : " without a message"}`);
  }
  return visitors.map((visitor) => answers.get(visitor)).join(" ");
}

/** The id of the transcription in a call's path. */
const transcriptionIn = ({ path = "" }: Call): string =>
  /\/(?:transcription|remove-transcription)\/([\da-f-]{36})/.exec(path)?.[1] ?? "";

/** Transcriptions that are shared already; a video is the same in several calls. */
const sharedIds = new Set<string>();

/** Status of the answer to a person with whom the transcription is shared in this role. */
async function answerFor(harness: Harness, person: Person, name: string, role: ShareRole): Promise<string> {
  const [method = "", route = ""] = name.split(" ");
  const made: Call = { path: route, body: bodies[name], ...(await permissions[name]?.call?.(harness)), ...sharedCalls[name] };
  const id = transcriptionIn(made);
  if (!sharedIds.has(id)) await shareWith(harness.user, person, id, role);
  sharedIds.add(id);
  const path = made.path?.replace(":id", id);
  const answer = await send(person, method, { ...made, ...(path !== undefined && { path }) });
  return `${answer.status}${(await isSaid(answer)) ? "" : " without a message"}`;
}

describe("permissions of the routes", () => {
  // PROMISE sharing: A transcript is shared with accounts; taking it away is immediate
  test("a shared transcription allows each account only reading or only correcting", async () => {
    const harness = await openHarness();
    // Corrected transcriptions belong to other owners, because the invitations of one person are limited by hour.
    const owners = await peopled(harness.server);
    const [reader, corrector] = [await signUp(harness.server), await signUp(harness.server)];
    const about = Object.keys(permissions).filter((name) => /\/(remove-)?transcription\/:id/.test(name));
    const found: Record<string, string> = {};
    for (const name of about) {
      found[name] = `${await answerFor(harness, reader, name, "read")} ${await answerFor(owners, corrector, name, "correct")}`;
    }
    expect(found).toEqual(Object.fromEntries(about.map((name) => [name, sharedAnswers[name] ?? "404 404"])));
  });

  // SPEC 1: "The product serves three kinds of people."
  // PROMISE security: Every call refuses hostile values in words, and checks who calls
  test("every route has the declared answer for each kind of caller", async () => {
    const harness = await openHarness();
    const routes = new Set(harness.server.routes.map(({ method, path }) => `${method} ${path}`));
    expect([...routes].filter((route) => permissions[route] === undefined)).toEqual([]);
    expect(Object.keys(permissions).filter((route) => !routes.has(route))).toEqual([]);
    const found: Record<string, string> = {};
    for (const [name, { alone }] of Object.entries(permissions)) {
      found[name] = await answersTo(alone ? await peopled(harness.server) : harness, name);
    }
    const expected = Object.fromEntries(Object.entries(permissions).map(([name, { answers }]) => [name, answers]));
    expect(found).toEqual(expected);
  });
});
