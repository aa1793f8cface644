import { describe, expect, it } from "vitest";
import {
  AdminJobsAnswer,
  AdminMetrics,
  AdminUser,
  AuditAnswer,
  isOwnError,
  Transcription,
  UserProfile,
} from "#contract/index.ts";
import {
  asPerson,
  base,
  eventually,
  type Person,
  post,
  read,
  refusal,
  settled,
  signUp,
  startTestServer,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav, scriptedEngines, segment } from "#tests/server/jobs/scripted.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";

const reason = "Spam from this address";
const idOf = async (person: Person) => (await read(await person.call("GET", "/users/me"), 200, UserProfile)).id;
const told = async (admin: Person, id: string) => read(await admin.call("GET", `/admin/users/${id}`), 200, AdminUser);
const block = (admin: Person, id: string, blocked = true) =>
  admin.call("PATCH", `/admin/users/${id}/blocked`, { blocked, reason });
const remove = (admin: Person, id: string) => admin.call("DELETE", `/admin/users/${id}`, { reason });
const logged = async (admin: Person) => (await read(await admin.call("GET", "/admin/audit"), 200, AuditAnswer)).entries;

/** Starts a server whose engine is busy until the test calls `hear`. */
async function setUp() {
  const heard = Promise.withResolvers<void>();
  const transcribe = async () => {
    await heard.promise;
    return [segment("heard", 0, 1)];
  };
  const server = await startTestServer({ engines: scriptedEngines({ transcribe, parallel: 1 }) });
  const [admin, person] = [await signUpSuperuser(server), await signUp(server)];
  const signIn = () => post(server, "/auth/login", { email: person.email, password: "correct horse" });
  return { server, admin, person, id: await idOf(person), signIn, hear: heard.resolve };
}

const jobsIn = async (admin: Person, state: string) =>
  (await read(await admin.call("GET", `/admin/jobs?state=${state}`), 200, AdminJobsAnswer)).jobs;

describe("blocked account", () => {
  // PROMISE administration: Blocking ends sessions, connections and jobs at once
  it("blocking an account ends its sessions, connections and jobs at once", async () => {
    const { server, admin, person, id, signIn } = await setUp();
    const running = await read(await upload(person, buzzWav(2)), 202, Transcription);
    await eventually(
      () => jobsIn(admin, "running"),
      (jobs) => jobs.length === 1,
    );
    const waiting = await read(await upload(person, buzzWav(2)), 202, Transcription);
    const stream = await fetch(`${server.apiUrl}${base}/events`, {
      headers: { Authorization: `Bearer ${person.token}` },
    });
    expect(stream.status).toBe(200);
    expect(await read(await block(admin, id), 200, AdminUser)).toMatchObject({ blocked: true, signIns: [] });
    // Reading to the end of the stream returns only because the server ends it.
    await stream.text().catch(() => "");
    expect(await refusal(await person.call("GET", "/users/me"))).toBe("401 unauthorized");
    expect(await refusal(await signIn())).toBe("403 accountBlocked");
    // A visitor who does not know the password does not learn of the block.
    const guessed = await post(server, "/auth/login", { email: person.email, password: "wrong horse" });
    expect(await refusal(guessed)).toBe("401 badCredentials");
    const failed = await jobsIn(admin, "failed");
    expect(failed.map((job) => [job.id, job.error]).toSorted()).toEqual(
      [running.id, waiting.id].map((one) => [one, "cancelledByOperator"]).toSorted(),
    );
    expect(await jobsIn(admin, "running")).toEqual([]);
    expect(await logged(admin)).toMatchObject([
      {
        action: "blockUser",
        reason,
        user: { email: person.email },
        before: { blocked: false, signIns: 1 },
        after: { blocked: true },
      },
    ]);
  });

  it("unblocking an account restores all its data", async () => {
    const { server, admin, person, id, signIn, hear } = await setUp();
    const { id: made } = await read(await upload(person, buzzWav(2)), 202, Transcription);
    await block(admin, id);
    expect(await read(await block(admin, id, false), 200, AdminUser)).toMatchObject({ blocked: false });
    const { accessToken } = await (await signIn()).json();
    const again = asPerson(server, String(accessToken), person.email);
    expect((await settled(again, made)).error).toMatchObject({ code: "cancelledByOperator" });
    hear();
    await again.call("PUT", `/audio/remove-transcription/${made}`, { retry: true });
    expect((await settled(again, made)).status).toBe("completed");
    expect((await logged(admin)).map(({ action }) => action)).toEqual(["unblockUser", "blockUser"]);
  });

  it("an administrator can't block or delete their own account or the last superuser", async () => {
    const { admin, id } = await setUp();
    const own = await idOf(admin);
    expect(await refusal(await block(admin, own))).toBe("409 conflict");
    expect(await refusal(await remove(admin, own))).toBe("409 conflict");
    expect(await refusal(await block(admin, "nobody"))).toBe("404 notFound");
    // A blocked superuser does not count, so the other one can't give up the right.
    await admin.call("PATCH", `/admin/users/${id}`, { superuser: true, reason });
    await block(admin, id);
    for (const superuser of (await admin.call("GET", "/admin/users?plan=superuser").then((answer) => answer.json())).users) {
      if (superuser.id !== own && superuser.id !== id) await block(admin, superuser.id);
    }
    expect(await refusal(await admin.call("PATCH", `/admin/users/${own}`, { superuser: false, reason }))).toBe("409 conflict");
    expect(await refusal(await admin.call("DELETE", "/users/me", { password: "correct horse" }))).toBe("409 lastSuperuser");
    expect((await told(admin, own)).superuser).toBe(true);
  });
});

describe("account deleted by an administrator", () => {
  // PROMISE administration: Each change needs a reason; the log outlives accounts, without addresses
  it("deletes all data of the account and logs the reason without the address", async () => {
    const { server, admin, person, id, signIn } = await setUp();
    await upload(person, buzzWav(2));
    expect((await remove(admin, id)).status).toBe(204);
    expect(await refusal(await admin.call("GET", `/admin/users/${id}`))).toBe("404 notFound");
    expect(await refusal(await person.call("GET", "/users/me"))).toBe("401 unauthorized");
    expect(await refusal(await signIn())).toBe("401 badCredentials");
    expect(await jobsIn(admin, "all")).toEqual([]);
    expect(await logged(admin)).toMatchObject([{ action: "deleteUser", reason, user: { id, email: null } }]);
    // The address is free again.
    expect((await post(server, "/auth/register", { email: person.email, name: "", password: "correct horse" })).status).toBe(201);
    expect(await refusal(await remove(admin, id))).toBe("404 notFound");
  });
});

describe("administrator's action on an account", () => {
  it("confirms a user's address only once", async () => {
    const { admin, id } = await setUp();
    const confirm = () => admin.call("POST", `/admin/users/${id}/confirm`, { reason });
    expect((await told(admin, id)).confirmed).toBe(false);
    expect(await read(await confirm(), 200, AdminUser)).toMatchObject({ confirmed: true });
    expect((await confirm()).status).toBe(200);
    expect(await logged(admin)).toMatchObject([
      { action: "confirmUser", before: { confirmed: false }, after: { confirmed: true } },
    ]);
  });

  // PROMISE administration: Each change needs a reason; the log outlives accounts, without addresses
  it("every administrator's action needs a reason and is rate-limited", async () => {
    const { admin, id } = await setUp();
    expect(await refusal(await admin.call("DELETE", `/admin/users/${id}`, { reason: " a " }))).toBe("400 badRequest");
    expect(await refusal(await admin.call("PATCH", `/admin/users/${id}/blocked`, { blocked: true }))).toBe("400 badRequest");
    const codes = new Set<number>();
    for (let count = 0; count < 125; count++) codes.add((await block(admin, id, false)).status);
    expect([...codes]).toEqual([200, 429]);
    expect(await refusal(await remove(admin, id))).toBe("429 tooManyRequests");
  });
});

it("an administrator cancels a job; its owner reads the reason and can restart it", async () => {
  const { admin, person, hear } = await setUp();
  const running = await read(await upload(person, buzzWav(2)), 202, Transcription);
  await eventually(
    () => jobsIn(admin, "running"),
    (jobs) => jobs.length === 1,
  );
  const cancel = () => admin.call("POST", `/admin/jobs/${running.id}/cancel`);
  expect((await cancel()).status).toBe(200);
  expect(await settled(person, running.id)).toMatchObject({ status: "failed", error: { code: "cancelledByOperator" } });
  expect(await refusal(await cancel())).toBe("409 conflict");
  expect(await refusal(await person.call("POST", `/admin/jobs/${running.id}/cancel`))).toBe("401 adminRequired");
  expect(await logged(admin)).toMatchObject([
    { action: "cancelJob", user: { email: person.email }, after: { status: "failed" } },
  ]);
  hear();
  await person.call("PUT", `/audio/remove-transcription/${running.id}`, { retry: true });
  expect(await settled(person, running.id)).toMatchObject({ status: "completed", text: "heard" });
});

it("the metrics count the waiting list as messages and separate users' errors from the server's", async () => {
  const { server, admin } = await setUp();
  await post(server, "/waitlist", { email: "later@example.org", language: "en" });
  const { messages } = await read(await admin.call("GET", "/admin/metrics?days=7"), 200, AdminMetrics);
  expect(messages).toEqual({ open: 0, waitlist: 1 });
  expect((["notAudio", "limitReached", "quotaReached", "cancelledByOperator"] as const).every(isOwnError)).toBe(true);
  expect((["internal", "engineFailed", "storageFull", "crashed"] as const).some(isOwnError)).toBe(false);
});
