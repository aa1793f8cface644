import { expect, onTestFinished, test } from "vitest";
import { openDb } from "#server/db/open.ts";
import { prepared } from "#server/db/prepared.ts";
import { findSignedIn } from "#server/session/queries.ts";
import { temporaryFolder } from "#tests/server/harness.ts";

interface Asked extends Record<string, string | number | null> {
  email: string;
  name: string;
  least: number;
}

/** A query with one value in two places and other values on both sides. */
const usersOf = prepared<Asked, { id: string; asked: string }>((db, value) =>
  db
    .selectFrom("users")
    .select(["id", value("name").as("asked")])
    .where("email", "=", value("email"))
    .where("name", "=", value("name"))
    .where("created_at", ">=", value("least")),
);

async function openWith(id: string) {
  const db = await openDb(await temporaryFolder());
  onTestFinished(() => db.destroy());
  const user = { id, email: "somebody@example.org", name: id, password_hash: "", created_at: 7 };
  const others = { email_verified: 0, is_superuser: 0, plan_type: "free", revision: 0, language: "en" as const, avatar: null };
  await db
    .insertInto("users")
    .values({ ...user, ...others, blocked_at: null })
    .execute();
  return db;
}

test("a prepared query runs with other values, on other databases and in transactions", async () => {
  const [one, other] = [await openWith("one"), await openWith("other")];
  const asked = (name: string, least = 7) => ({ email: "somebody@example.org", name, least });
  expect(await usersOf(one, asked("one"))).toEqual([{ id: "one", asked: "one" }]);
  expect(await usersOf(one, asked("one", 8))).toEqual([]);
  expect(await usersOf(other, asked("one"))).toEqual([]);
  expect(await usersOf(other, asked("other"))).toEqual([{ id: "other", asked: "other" }]);
  const inside = await one.transaction().execute(async (t) => {
    await t.updateTable("users").set({ name: "changed" }).execute();
    return usersOf(t, asked("changed"));
  });
  expect(inside).toEqual([{ id: "one", asked: "changed" }]);
  expect(await findSignedIn(one, "one", "no session")).toBeUndefined();
});
