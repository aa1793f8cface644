import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Problem } from "#server/errors/problem.ts";
import { addressesOf, checkUrl, type UrlPolicy } from "#server/outbound/address.ts";
import { openUrl } from "#server/uploads/fetching/request.ts";
import { ssrf } from "#tests/fixtures/vectors.ts";
import { signUp, startTestServer } from "#tests/server/harness.ts";
import { ask } from "./attacked.ts";

const times = { connectMs: 1_000, idleMs: 1_000, wholeMs: 2_000 };
const resolve = async (name: string) => (ssrf.names[name] ?? []).map((address) => ({ address }));
const nobody: UrlPolicy = { allowed: new Set(), resolve, times };

/** Addresses that would be connected to; empty when the URL is refused. */
async function connected(text: string, base?: URL): Promise<string[]> {
  try {
    return (await addressesOf(checkUrl(text, nobody, base), nobody)).map(({ address }) => address);
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}

describe("URLs that attack the internal network", () => {
  test("tests at least a hundred attack URLs", () => {
    expect(new Set(ssrf.vectors).size).toBeGreaterThanOrEqual(100);
  });

  test.each(ssrf.vectors)("connects to no internal address for %j", async (vector) => {
    // A harmless URL resolves to the public address.
    expect((await connected(vector)).filter((address) => address !== "8.8.8.8")).toEqual([]);
  });

  test("refuses the attack URLs in the API and queues no work", async () => {
    const server = await startTestServer({ resolve });
    const person = await signUp(server);
    for (const vector of ssrf.vectors) {
      if ((await connected(vector)).length > 0) continue;
      const answer = await ask(person, vector);
      expect(`${vector} ${answer.status}`).toMatch(/ 4\d\d$/);
      await answer.body?.cancel();
    }
    const history = await person.call("GET", "/api/v1/audio-transcriptions/transcription-history");
    expect(await history.json()).toMatchObject({ pagination: { total: 0 } });
  });

  test("connects nowhere when an allowed server redirects to an attack URL", async () => {
    const asked: string[] = [];
    const inside = createServer((request, response) => {
      asked.push(`${request.headers.host}${request.url}`);
      const [, number = ""] = /^\/redirect\/(\d+)$/.exec(request.url ?? "") ?? [];
      const vector = ssrf.vectors[Number(number)];
      if (number === "" || vector === undefined) return void response.writeHead(404).end();
      response.writeHead(302, { Location: Buffer.from(vector.replace(/[\r\n]/g, ""), "utf8").toString("latin1") }).end();
    });
    onTestFinished(() => void inside.close());
    await new Promise<void>((done) => inside.listen(0, "127.0.0.1", done));
    const address: AddressInfo | string | null = inside.address();
    const port = typeof address === "object" ? address?.port : 0;
    const media = `media.test:${port}`;
    const policy: UrlPolicy = {
      times,
      allowed: new Set([media]),
      resolve: async (name) => (name === "media.test" ? [{ address: "127.0.0.1" }] : resolve(name)),
    };
    for (const [number, vector] of ssrf.vectors.entries()) {
      if ((await connected(vector, new URL(`http://${media}/`))).length > 0) continue;
      await expect(
        openUrl(`http://${media}/redirect/${number}`, policy, AbortSignal.timeout(5_000)),
        vector,
      ).rejects.toBeInstanceOf(Problem);
    }
    // Only requests under the server's own name arrived.
    expect(asked.filter((one) => !one.startsWith(`${media}/`))).toEqual([]);
  });
});
