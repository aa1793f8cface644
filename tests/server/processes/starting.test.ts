import { expect, it } from "vitest";
import { freePort } from "#tests/fixtures/free-port.ts";
import { startTestServer } from "#tests/server/harness.ts";

/** Until somebody listens. */
async function knock(port: number, origin: string): Promise<Response> {
  for (;;) {
    try {
      return await fetch(`http://localhost:${port}/`, { headers: { Origin: origin } });
    } catch {
      // Nobody is there yet.
    }
  }
}

// PROMISE start: The page opens while the server is still starting
it("a page that is open while the server starts again gets its answer, not an error", async () => {
  const [api, web] = [await freePort(), await freePort()];
  const origin = `http://localhost:${web}`;
  // The first start takes its time: the superuser's password is hashed.
  const [answer] = await Promise.all([
    knock(api, origin),
    startTestServer({ env: { PORT: String(api), WEB_PORT: String(web) } }),
  ]);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(origin);
});
