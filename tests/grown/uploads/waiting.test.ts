import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "#tests/grown/harness-postgres.ts";
import { signUp, startTestServer } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { append, ask, begin, endless } from "#tests/server/uploads/tus.ts";

// Needs PostgreSQL: two processes want one upload.

test("tells a waiting request that was overtaken by the next to retry", async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const server = await startTestServer({ env: { DATABASE_URL: url } });
  const person = await signUp(server);
  const wav = buzzWav(5);
  const path = await begin(person, { size: wav.length });
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  onTestFinished(() => other.end());
  const locks = async () => {
    const held = "select (classid::bigint << 32) | objid::bigint as key from pg_locks where locktype = 'advisory' and granted";
    const { rows } = await other.query<{ key: string }>(held);
    return rows.map(({ key }) => key);
  };

  // The upload's lock is visible while the upload arrives.
  const before = await locks();
  const cut = new AbortController();
  const body = endless(wav.subarray(0, 1_000));
  const arriving = append(server, person, path, { offset: 0, body, signal: cut.signal }).catch(() => undefined);
  const taken = async () => (await locks()).filter((key) => !before.includes(key));
  await expect.poll(taken).toHaveLength(1);
  const [key] = await taken();
  cut.abort();
  await arriving;
  await other.query("select pg_advisory_lock($1)", [key]);

  const first = ask(person, path);
  const next = await Promise.race([first, ask(person, path)]);
  expect(next.status).toBe(423);
  await other.query("select pg_advisory_unlock($1)", [key]);
});
