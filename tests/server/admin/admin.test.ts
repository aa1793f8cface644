import { describe, expect, it } from "vitest";
import {
  AdminMetrics,
  AdminUser,
  AdminUsersAnswer,
  AuditAnswer,
  ErrorBody,
  Subscription,
  Usage,
  UserProfile,
} from "#contract/index.ts";
import { openSql } from "#tests/server/database.ts";
import { type Person, post, read, refusal, signInAgain, signUp, startTestServer, testClock } from "#tests/server/harness.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { save } from "#tests/server/transcription/saved.ts";
import { unzipped } from "#tests/server/zip.ts";

const dayMs = 24 * 60 * 60_000;
const reason = "A friend of the house";

const idOf = async (person: Person) => (await read(await person.call("GET", "/users/me"), 200, UserProfile)).id;
const listed = async (admin: Person, query = "") => read(await admin.call("GET", `/admin/users${query}`), 200, AdminUsersAnswer);
const userDetail = async (admin: Person, id: string) => read(await admin.call("GET", `/admin/users/${id}`), 200, AdminUser);
const logged = async (admin: Person) => (await read(await admin.call("GET", "/admin/audit"), 200, AuditAnswer)).entries;
const measured = async (admin: Person, days = 7) =>
  read(await admin.call("GET", `/admin/metrics?days=${days}`), 200, AdminMetrics);

async function setUp(options: Parameters<typeof startTestServer>[0] = {}) {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now, ...options });
  const [admin, person] = [await signUpSuperuser(server), await signUp(server)];
  const id = await idOf(person);
  const grant = (body: object) => admin.call("PATCH", `/admin/users/${id}/subscription`, { reason, ...body });
  const inDays = (days: number) => new Date(clock.now() + days * dayMs).toISOString();
  return { clock, server, admin, person, id, grant, inDays };
}

describe("routes of the admin panel", () => {
  // SPEC 6: "Superuser | /admin and blog administration"
  it("refuses admin calls of everybody who is no superuser and changes nothing", async () => {
    const { server, admin, person, id } = await setUp();
    const calls: [string, string, object?][] = [
      ["GET", "/admin/metrics"],
      ["GET", "/admin/users"],
      ["GET", `/admin/users/${id}`],
      ["GET", "/admin/audit"],
      ["PATCH", `/admin/users/${id}`, { superuser: true, reason }],
      ["PATCH", `/admin/users/${id}/subscription`, { plan: "premium", periodEnd: "2026-04-01T00:00:00Z", reason }],
      ["POST", `/admin/users/${id}/sign-out`, { reason }],
      ["POST", `/admin/users/${id}/confirm`, { reason }],
      ["PATCH", `/admin/users/${id}/blocked`, { blocked: true, reason }],
      ["DELETE", `/admin/users/${id}`, { reason }],
    ];
    for (const [method, path, body] of calls) {
      const asVisitor = fetch(`${server.apiUrl}${path}`, {
        method,
        headers: { "Content-Type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      for (const answer of [await asVisitor, await person.call(method, path, body)]) {
        expect(answer.status, path).toBe(401);
        const { message, code } = await read(answer, 401, ErrorBody);
        expect([message, code], path).toEqual(["Unauthorized: Admin access required", "adminRequired"]);
      }
    }
    expect(await userDetail(admin, id)).toMatchObject({ superuser: false, premium: false, subscription: null });
    expect(await logged(admin)).toEqual([]);
  });

  it.each(["/admin/users/nobody", "/admin/users/nobody/subscription", "/admin/users/nobody/sign-out"])(
    '%s answers "not found" for an unknown user',
    async (path) => {
      const { admin } = await setUp();
      const method = path.endsWith("out") ? "POST" : path.endsWith("subscription") ? "PATCH" : "GET";
      const body = method === "GET" ? undefined : { plan: "free", reason };
      expect(await refusal(await admin.call(method, path, body))).toBe("404 notFound");
    },
  );
});

describe("list of users", () => {
  it("finds users by part of the address or name, ignoring case and accents", async () => {
    const { server, admin } = await setUp();
    const names: [string, string][] = [
      ["under_score@example.org", "ÖZGÜR Ünal"],
      ["underXscore@example.org", "100 % Ada"],
    ];
    for (const [email, name] of names) await post(server, "/auth/register", { email, name, password: "correct horse" });
    const found = async (search: string) =>
      (await listed(admin, `?search=${encodeURIComponent(search)}`)).users.map(({ email }) => email).sort();
    expect(await found("UNDER_")).toEqual(["under_score@example.org"]);
    expect(await found("%")).toEqual(["underxscore@example.org"]);
    expect(await found("under")).toEqual(["under_score@example.org", "underxscore@example.org"]);
    for (const typed of ["özgür ü", "ozgur u"]) expect(await found(typed)).toEqual(["under_score@example.org"]);
    expect(await found("ada")).toEqual(["underxscore@example.org"]);
    expect(await found("\\")).toEqual([]);
  });

  it("shows the last page when a page beyond it is requested", async () => {
    const { admin } = await setUp();
    const all = await listed(admin);
    expect(all.pagination).toEqual({ page: 1, limit: 20, total: 3, totalPages: 1 });
    const last = await listed(admin, "?limit=2&page=99&sort=oldest");
    expect(last.pagination).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2 });
    expect(last.users).toHaveLength(1);
    expect((await listed(admin, "?search=nobody@")).pagination).toMatchObject({ page: 1, total: 0, totalPages: 0 });
  });

  it.each([
    "page=0",
    "page=-1",
    "page=x",
    "limit=0",
    "limit=101",
    "sort=password_hash",
    "plan=paid",
    `search=${"x".repeat(201)}`,
  ])("refuses the list of users with %s", async (query) => {
    const { admin } = await setUp();
    expect(await refusal(await admin.call("GET", `/admin/users?${query}`))).toBe("400 badRequest");
  });

  it("filters users by plan and sorts them", async () => {
    const { admin, person, grant, inDays, server, clock } = await setUp();
    clock.advance(1000);
    const late = await signUp(server);
    await grant({ plan: "premium", periodEnd: inDays(30) });
    const emails = async (query: string) => (await listed(admin, query)).users.map(({ email }) => email);
    expect(await emails("?plan=premium")).toEqual([person.email]);
    expect(await emails("?plan=free&sort=oldest")).toEqual(expect.arrayContaining([late.email, admin.email]));
    expect(await emails("?plan=free")).not.toContain(person.email);
    expect(await emails("?plan=superuser")).toContain(admin.email);
    expect((await emails("?sort=newest"))[0]).toBe(late.email);
    expect((await emails("?sort=oldest")).at(-1)).toBe(late.email);
    const byMail = await emails("?sort=email");
    expect(byMail).toEqual(byMail.toSorted());
    // The superuser of the first start has never been active.
    expect((await emails("?sort=seen")).at(-1)).toBe("superuser@parlance.local");
    expect(await emails("?sort=minutes")).toHaveLength(4);
  });
});

describe("detail of a user", () => {
  // SPEC 3: "Admin state:"
  // PROMISE administration: Administrators see no title and no text of a transcript
  // SPEC 6: "Superuser | /admin and blog administration"
  it("shows administrators no text of a transcript and no secret", async () => {
    const { admin, person, id, grant, inDays } = await setUp();
    await save(person, { title: "Confession", text: "I stole the biscuits", translatedText: "Robé las galletas" });
    await grant({ plan: "premium", periodEnd: inDays(30) });
    const answers = await Promise.all(
      ["/admin/metrics", "/admin/users", `/admin/users/${id}`, "/admin/audit"].map(async (path) =>
        (await admin.call("GET", path)).text(),
      ),
    );
    for (const text of answers) expect(text).not.toMatch(/confession|biscuits|galletas|password_hash|argon2|[Tt]oken/i);
    const user = await userDetail(admin, id);
    expect(user).toMatchObject({ email: person.email, self: false, hasPassword: true, vault: null, invoices: [] });
    expect(user.transcriptions).toMatchObject({ total: 1, latest: [{ status: "completed", size: null, error: null }] });
    expect(user.signIns).toHaveLength(1);
  });

  // SPEC 3: "Admin state:"
  it("an administrator can grant, extend and end premium, and the log records each change", async () => {
    const { admin, person, id, grant, inDays } = await setUp();
    await read(await grant({ plan: "premium", periodEnd: inDays(30) }), 200, AdminUser);
    const own = await read(await person.call("GET", "/subscriptions/account/subscription"), 200, Subscription);
    expect(own).toMatchObject({ status: "active", plan: "premium", granted: true, currentPeriodEnd: inDays(30) });
    expect(await read(await person.call("GET", "/users/me"), 200, UserProfile)).toMatchObject({ planType: "premium" });
    expect((await read(await person.call("GET", "/api/v1/usage"), 200, Usage)).limitMinutes).toBeNull();
    await grant({ plan: "premium", periodEnd: inDays(60) });
    expect((await userDetail(admin, id)).subscription).toMatchObject({
      premium: true,
      provider: null,
      currentPeriodEnd: inDays(60),
    });
    await grant({ plan: "free" });
    expect(await userDetail(admin, id)).toMatchObject({ premium: false, subscription: { status: "canceled", premium: false } });
    expect(await refusal(await grant({ plan: "free" }))).toBe("409 conflict");
    const who = { actor: { email: admin.email }, user: { id, email: person.email }, reason };
    expect(await logged(admin)).toHaveLength(3);
    expect(await logged(admin)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: "grantPremium",
          before: { premium: false },
          after: { premium: true, until: inDays(30) },
        }),
        expect.objectContaining({ action: "changeGrant", after: { premium: true, until: inDays(60) } }),
        expect.objectContaining({ action: "endGrant", before: { premium: true, status: "active", until: inDays(60) } }),
      ]),
    );
    for (const entry of await logged(admin)) expect(entry).toMatchObject(who);
  });

  it("a grant of premium ends when its time is over", async () => {
    const { admin, id, grant, inDays, clock, server } = await setUp();
    await grant({ plan: "premium", periodEnd: inDays(30) });
    clock.advance(29 * dayMs);
    await server.sweep();
    const later = await signUpSuperuser(server);
    expect((await userDetail(later, id)).premium).toBe(true);
    clock.advance(dayMs);
    await server.sweep();
    const last = await signUpSuperuser(server);
    expect(await userDetail(last, id)).toMatchObject({ premium: false, subscription: { status: "canceled" } });
    expect(admin.email).not.toBe(last.email);
  });

  it.each([
    ["no reason", { plan: "premium", periodEnd: "2026-04-01T00:00:00Z", reason: " " }],
    ["a day in the past", { plan: "premium", periodEnd: "2026-02-01T00:00:00Z" }],
    ["no day", { plan: "premium" }],
    ["an invalid day", { plan: "premium", periodEnd: "tomorrow" }],
    ["an unknown plan", { plan: "gold", periodEnd: "2026-04-01T00:00:00Z" }],
  ])("refuses a grant with %s", async (_, body) => {
    const { admin, id, grant } = await setUp();
    expect(await refusal(await grant(body))).toBe("400 badRequest");
    expect((await userDetail(admin, id)).subscription).toBeNull();
    expect(await logged(admin)).toEqual([]);
  });

  it("refuses a grant to a paying user and cancels only through the provider, once", async () => {
    const { admin, person, id, grant, inDays } = await setUp();
    const asked = await person.call("POST", "/subscriptions/account/checkout-session", { plan: "premium", interval: "month" });
    const { url } = await asked.json();
    await fetch(`${url}/pay`, { method: "POST", redirect: "manual" });
    expect(await refusal(await grant({ plan: "premium", periodEnd: inDays(300) }))).toBe("409 conflict");
    await read(await grant({ plan: "free" }), 200, AdminUser);
    expect(await userDetail(admin, id)).toMatchObject({
      premium: true,
      subscription: { provider: "test", status: "active", cancelAtPeriodEnd: true },
      invoices: [{ status: "paid" }],
    });
    expect(await refusal(await grant({ plan: "free" }))).toBe("409 conflict");
    expect((await logged(admin)).map(({ action }) => action)).toEqual(["cancelSubscription"]);
  });

  it("a user can't cancel granted premium and has no billing portal", async () => {
    const { person, grant, inDays } = await setUp();
    await grant({ plan: "premium", periodEnd: inDays(30) });
    for (const path of ["cancel", "account/cancel-subscription", "account/billing-portal"]) {
      expect(await refusal(await person.call("POST", `/subscriptions/${path}`))).toBe("404 notFound");
    }
  });

  it("signs a user out of all devices, except the administrator's own current one", async () => {
    const { server, admin, person, id } = await setUp();
    const again = await signInAgain(server, person);
    const answer = await admin.call("POST", `/admin/users/${id}/sign-out`, { reason });
    expect((await read(answer, 200, AdminUser)).signIns).toEqual([]);
    for (const each of [person, again]) expect((await each.call("GET", "/users/me")).status).toBe(401);
    const twin = await signInAgain(server, admin);
    await read(await admin.call("POST", `/admin/users/${await idOf(admin)}/sign-out`, { reason }), 200, AdminUser);
    expect((await twin.call("GET", "/users/me")).status).toBe(401);
    const signIns = (await logged(admin)).map(({ before, after }) => [before.signIns, after.signIns]);
    expect(signIns).toEqual(
      expect.arrayContaining([
        [2, 0],
        [2, 1],
      ]),
    );
  });

  it("an administrator can give and take the superuser right, except from the last superuser", async () => {
    const { server, admin, person, id } = await setUp();
    const change = async (by: Person, whom: string, superuser: boolean) =>
      by.call("PATCH", `/admin/users/${whom}`, { superuser, reason });
    expect((await change(admin, id, true)).status).toBe(200);
    expect((await listed(person)).pagination.total).toBe(3);
    const [own, first] = [await idOf(admin), (await listed(admin, "?search=superuser@")).users[0]?.id ?? ""];
    for (const each of [own, first]) expect((await change(person, each, false)).status).toBe(200);
    expect(await refusal(await change(person, id, false))).toBe("409 conflict");
    expect(await refusal(await admin.call("GET", "/admin/users"))).toBe("401 adminRequired");
    // Setting the present value is no change and is not logged.
    await change(person, id, true);
    expect((await logged(person)).map(({ action }) => action).toSorted()).toEqual([
      "giveSuperuser",
      "takeSuperuser",
      "takeSuperuser",
    ]);
    using db = openSql(server.dataDir);
    expect(db.prepare("select count(*) as count from users where is_superuser = 1").get()).toEqual({ count: 1 });
  });

  it("the audit log keeps only the id of a deleted account", async () => {
    const { admin, person, id, grant, inDays } = await setUp();
    await grant({ plan: "premium", periodEnd: inDays(30) });
    const taken = Buffer.from(await (await person.call("GET", "/users/me/export")).arrayBuffer());
    const about: unknown = JSON.parse(String(unzipped(taken).get("account.json")));
    expect(about).toMatchObject({ administration: [{ action: "grantPremium", reason }] });
    expect((await person.call("DELETE", "/users/me", { password: "correct horse" })).status).toBe(204);
    expect(await logged(admin)).toMatchObject([{ user: { id, email: null }, actor: { email: admin.email } }]);
    expect(await refusal(await admin.call("GET", `/admin/users/${id}`))).toBe("404 notFound");
  });
});

describe("admin metrics", () => {
  // SPEC 3: "Admin state:"
  it("shows the database's figures for each day", async () => {
    const { clock, server, admin, grant, inDays } = await setUp();
    const first = await measured(admin);
    expect(first.days).toHaveLength(7);
    expect(first.days.at(-1)).toBe("2026-03-01");
    expect(first.users).toMatchObject({ total: 3, confirmed: 1, premium: 0, newPerDay: [0, 0, 0, 0, 0, 0, 3] });
    expect(first.signIns).toEqual({ today: 2, perDay: [0, 0, 0, 0, 0, 0, 2] });
    expect(first.minutes).toEqual({ thisMonth: 0, perDay: [0, 0, 0, 0, 0, 0, 0] });
    expect(first.jobs).toEqual({ waiting: 0, running: 0, failed: 0, failedLately: 0 });
    expect(first.mails).toMatchObject({ server: false, stuck: 0 });
    expect(first.storage.database).toBeGreaterThan(0);
    expect(first.storage.free).toBeGreaterThan(0);
    expect(first.engines.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["speech", "translation", "aloud", "chat"]));
    await grant({ plan: "premium", periodEnd: inDays(30) });
    clock.advance(dayMs);
    await server.sweep();
    const second = await measured(await signUpSuperuser(server), 2);
    expect(second.users).toMatchObject({ total: 4, premium: 1, newPerDay: [3, 1], totalPerDay: [expect.any(Number), 3] });
    expect(second.users.premiumPerDay.at(-1)).toBe(1);
    expect(second.signIns).toEqual({ today: 1, perDay: [2, 1] });
    expect(second.storage.measuredAt).toBe("2026-03-02T12:00:00.000Z");
  });

  it("counts minutes on the day of the work and groups recent failures by reason", async () => {
    const { server, admin, id } = await setUp();
    using db = openSql(server.dataDir);
    const use = db.prepare("insert into usage (user_id, source, month, day, samples) values (?, ?, ?, ?, ?)");
    use.run(id, "a", "2026-03", "2026-03-01", 60 * 16_000);
    use.run(id, "b", "2026-03", null, 30 * 16_000);
    use.run(id, "c", "2026-02", "2026-02-27", 120 * 16_000);
    const fail = db.prepare(
      `insert into transcriptions (id, user_id, client_id, title, text, translated_text, haystack, source_language, date, status,
       origin, segments, error_code, revision) values (?, ?, ?, '', '', '', '', 'en', ?, 'failed', 'upload', '[]', ?, 1)`,
    );
    fail.run("f1", id, "f1", Date.parse("2026-03-01T10:00:00Z"), "engineFailed");
    fail.run("f2", id, "f2", Date.parse("2026-02-28T10:00:00Z"), "engineFailed");
    fail.run("f3", id, "f3", Date.parse("2026-01-01T10:00:00Z"), "notAudio");
    const { minutes, jobs, failures } = await measured(admin, 3);
    expect(minutes).toEqual({ thisMonth: 1.5, perDay: [2, 0, 1] });
    expect(jobs).toEqual({ waiting: 0, running: 0, failed: 3, failedLately: 2 });
    expect(failures).toEqual([{ code: "engineFailed", count: 2, lastAt: "2026-03-01T10:00:00.000Z" }]);
    const user = await userDetail(admin, id);
    expect(user.usage).toEqual([
      { month: "2026-03", minutes: 1.5 },
      { month: "2026-02", minutes: 2 },
    ]);
    expect(user.minutesThisMonth).toBe(1.5);
  });

  it.each(["days=0", "days=367", "days=all"])("refuses metrics with %s", async (query) => {
    const { admin } = await setUp();
    expect(await refusal(await admin.call("GET", `/admin/metrics?${query}`))).toBe("400 badRequest");
  });
});
