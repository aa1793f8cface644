import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { InboxAnswer, InboxMessage, WaitlistAnswer } from "#contract/index.ts";
import type { Running } from "#server/start.ts";
import { type Person, post, read, refusal, signUp, startTestServer, testClock } from "#tests/server/harness.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";

const write = (server: Pick<Running, "apiUrl">, text: string) =>
  post(server, "/contact", { clientId: randomUUID(), name: "Ada", email: "ada@example.org", text, language: "de" });
const inboxOf = async (person: Person, query = "") => read(await person.call("GET", `/admin/inbox${query}`), 200, InboxAnswer);
const textsOf = async (person: Person, query = "") => (await inboxOf(person, query)).messages.map(({ text }) => text);

async function start() {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now });
  return { clock, server, superuser: await signUpSuperuser(server) };
}

describe("inbox", () => {
  test("the inbox lists contact messages and feedback, newest first, and filters them by kind", async () => {
    const { clock, server, superuser } = await start();
    expect(await inboxOf(superuser)).toEqual({ messages: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } });
    await write(server, "=1+1 <b>");
    clock.advance(1000);
    const person = await signUp(server);
    await person.call("POST", "/feedback", { clientId: randomUUID(), text: "Good", rating: 5 });
    expect((await inboxOf(superuser)).messages).toMatchObject([
      { kind: "feedback", email: person.email, rating: 5, text: "Good", createdAt: "2026-03-01T12:00:01.000Z", handledAt: null },
      { kind: "contact", userId: null, name: "Ada", email: "ada@example.org", rating: null, text: "=1+1 <b>", language: "de" },
    ]);
    expect(await textsOf(superuser, "?kind=feedback")).toEqual(["Good"]);
    expect(await textsOf(superuser, "?kind=contact")).toEqual(["=1+1 <b>"]);
  });

  test("a superuser can mark a message as done or not done and delete it", async () => {
    const { server, superuser } = await start();
    for (const text of ["one", "two"]) await write(server, text);
    const [message] = (await inboxOf(superuser)).messages;
    const path = `/admin/inbox/${message?.id}`;
    const handled = await read(await superuser.call("PATCH", path, { handled: true }), 200, InboxMessage);
    expect(handled.handledAt).toBe("2026-03-01T12:00:00.000Z");
    expect(await textsOf(superuser)).not.toContain(message?.text);
    expect(await textsOf(superuser, "?state=done")).toEqual([message?.text]);
    expect(await textsOf(superuser, "?state=all")).toHaveLength(2);
    expect((await read(await superuser.call("PATCH", path, { handled: false }), 200, InboxMessage)).handledAt).toBeNull();
    expect(await textsOf(superuser, "?state=done")).toEqual([]);
    expect((await superuser.call("DELETE", path)).status).toBe(204);
    expect(await refusal(await superuser.call("DELETE", path))).toBe("404 notFound");
    expect(await refusal(await superuser.call("PATCH", path, { handled: true }))).toBe("404 notFound");
    expect(await textsOf(superuser, "?state=all")).toHaveLength(1);
  });

  test("shows the inbox's last page when a page beyond it is requested", async () => {
    const { clock, server, superuser } = await start();
    for (const text of ["1", "2", "3", "4", "5"]) {
      await write(server, text);
      clock.advance(1);
    }
    expect(await textsOf(superuser, "?limit=2")).toEqual(["5", "4"]);
    expect(await inboxOf(superuser, "?limit=2&page=9")).toMatchObject({
      messages: [{ text: "1" }],
      pagination: { page: 3, limit: 2, total: 5, totalPages: 3 },
    });
  });

  test("refuses unknown values in requests to the inbox", async () => {
    const { superuser } = await start();
    for (const query of ["?kind=waitlist", "?state=new", "?page=0", "?limit=101", "?page=x"]) {
      expect(await refusal(await superuser.call("GET", `/admin/inbox${query}`))).toBe("400 badRequest");
    }
    expect(await refusal(await superuser.call("PATCH", "/admin/inbox/x", { handled: 1 }))).toBe("400 badRequest");
  });
});

describe("waiting list", () => {
  test("lists the waiting list in pages, longest waiting first", async () => {
    const { clock, server, superuser } = await start();
    for (const name of ["c", "a", "b"]) {
      await post(server, "/waitlist", { email: `${name}@example.org`, language: "fr" });
      clock.advance(1);
    }
    const answer = await read(await superuser.call("GET", "/admin/waitlist?limit=2"), 200, WaitlistAnswer);
    expect(answer.entries).toMatchObject([{ email: "c@example.org", language: "fr" }, { email: "a@example.org" }]);
    expect(answer.pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 });
  });

  test("exports the waiting list as CSV in which no cell is a formula", async () => {
    const { server, superuser } = await start();
    for (const email of ["+cmd@example.org", "ada@example.org"]) await post(server, "/waitlist", { email });
    const answer = await superuser.call("GET", "/admin/waitlist.csv");
    expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="waitlist.csv"');
    expect((await answer.text()).split("\r\n")).toEqual([
      "email,language,joinedAt",
      "'+cmd@example.org,en,2026-03-01T12:00:00.000Z",
      "ada@example.org,en,2026-03-01T12:00:00.000Z",
      "",
    ]);
  });
});

test("refuses the inbox and the waiting list to everybody who is no superuser", async () => {
  const server = await startTestServer();
  const person = await signUp(server);
  const calls = [
    ["GET", "/admin/inbox"],
    ["PATCH", "/admin/inbox/1"],
    ["DELETE", "/admin/inbox/1"],
    ["GET", "/admin/waitlist"],
    ["GET", "/admin/waitlist.csv"],
  ] as const;
  for (const [method, path] of calls) {
    for (const answer of [await fetch(`${server.apiUrl}${path}`, { method }), await person.call(method, path)]) {
      expect(answer.status).toBe(401);
      expect(await answer.json()).toEqual({ message: "Unauthorized: Admin access required", code: "adminRequired" });
    }
  }
});
