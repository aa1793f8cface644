import { expect, it } from "vitest";
import { freePort } from "#tests/fixtures/free-port.ts";
import { startTestServer } from "#tests/server/harness.ts";

/** Repeats the request until a server listens. */
async function knock(port: number, origin: string): Promise<Response> {
  for (;;) {
    try {
      return await fetch(`http://localhost:${port}/`, { headers: { Origin: origin } });
    } catch {
      // No server listens yet.
    }
  }
}

// PROMISE start: The page opens while the server is still starting
it("answers a page's request during a restart instead of failing", async () => {
  const [api, web] = [await freePort(), await freePort()];
  const origin = `http://localhost:${web}`;
  // The first start takes longer, because it hashes the superuser's password.
  const [answer] = await Promise.all([
    knock(api, origin),
    startTestServer({ env: { PORT: String(api), WEB_PORT: String(web) } }),
  ]);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(origin);
});
