import { expect, onTestFinished, test } from "vitest";
import { ErrorBody } from "#contract/index.ts";
import { administer, startCluster } from "#tests/grown/harness-postgres.ts";
import { eventually, read, signUp, startTestServer } from "#tests/server/harness.ts";

// Starts its own PostgreSQL, and stops it both cleanly and by a crash.

test("fails only the requests made while PostgreSQL is stopped or has crashed", async () => {
  const cluster = await startCluster();
  onTestFinished(() => cluster.remove());
  await administer(cluster.url("postgres"), "create database parlance");
  const lines: string[] = [];
  const server = await startTestServer({
    env: { DATABASE_URL: cluster.url("parlance"), LOG_LEVEL: "error" },
    writeLog: (line) => lines.push(line),
  });
  const person = await signUp(server);
  for (const how of ["fast", "crash"] as const) {
    await cluster.stop(how);
    for (const answer of await Promise.all([1, 2, 3].map(() => person.call("GET", "/users/me")))) {
      expect(answer.headers.get("retry-after"), how).toBe("5");
      expect((await read(answer, 503, ErrorBody)).message).toContain("can't reach its database");
    }
    await cluster.start();
    const again = await eventually(
      () => person.call("GET", "/users/me"),
      ({ status }) => status === 200,
    );
    expect(await again.json()).toMatchObject({ email: person.email });
    // The server's polls have recovered too.
    await server.sweep();
    expect((await person.call("GET", "/users/me")).status).toBe(200);
  }
});
