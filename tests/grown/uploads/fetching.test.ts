import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { refusal, signUp, startTestServer } from "#tests/server/harness.ts";
import { openMedia, openSilence, sending } from "#tests/server/media.ts";
import { ask, attacked, failed, nothing, times, wav } from "#tests/server/uploads/fetching/attacked.ts";

// Servers that send too much or too slowly. Addresses of private networks:
// server/uploads/fetching/attacks.test.ts.

describe("web address with too much data", () => {
  test("does not start a download that states too large a size", async () => {
    let sent = 0;
    const media = await openMedia({
      "/big.wav": (_request, response) => {
        response.writeHead(200, { "Content-Length": String(50 * 1024 ** 3) });
        response.on("drain", () => {
          sent += 1;
        });
        response.write(wav);
      },
    });
    const { outcome, rest } = await attacked(media);
    expect(await outcome("/big.wav")).toEqual(failed("tooLarge"));
    expect([await rest(), sent]).toEqual([nothing, 0]);
  });

  test.each([
    ["that never ends", Buffer.alloc(0)],
    ["that never ends and says it is a feed", Buffer.from("<rss><channel>")],
  ])("aborts an answer %s", async (_name, beginning) => {
    const media = await openMedia({
      "/endless": (_request, response) => {
        response.writeHead(200, { "Content-Type": "audio/mpeg" });
        response.write(beginning);
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
        };
        response.on("drain", more);
        more();
      },
    });
    const { outcome, rest } = await attacked(media);
    expect(await outcome("/endless")).toEqual(failed("tooLarge"));
    expect(await rest()).toEqual(nothing);
  });

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ])("aborts an answer that unpacks to too much (%s)", async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(100_000);
    const media = await openMedia({ "/bomb": sending(bomb, { "Content-Encoding": encoding, "Content-Type": "audio/wav" }) });
    const { outcome, rest } = await attacked(media);
    expect(await outcome("/bomb")).toEqual(failed("tooLarge"));
    expect(await rest()).toEqual(nothing);
  });

  test.each(["gzip, gzip", "compress", "gzip"])("fails for an answer packed in %s that is something else", async (encoding) => {
    const media = await openMedia({ "/odd": sending(wav, { "Content-Encoding": encoding }) });
    const { outcome } = await attacked(media);
    expect(await outcome("/odd")).toEqual(failed("urlUnreachable"));
  });

  test("fails for too large a header", async () => {
    const media = await openMedia({
      "/": (_request, response) => void response.writeHead(200, { "X-Much": "a".repeat(60_000) }).end(wav),
    });
    const { outcome } = await attacked(media);
    expect(await outcome("/")).toEqual(failed("urlUnreachable"));
  });
});

describe("slow or broken web address", () => {
  test("gives up a connection that says nothing", async () => {
    const { outcome, rest } = await attacked(await openSilence());
    expect(await outcome("/")).toEqual(failed("urlTimeout"));
    expect(await rest()).toEqual(nothing);
  });

  test("gives up a connection that does not agree on a key", async () => {
    const media = await openSilence();
    const { outcome } = await attacked(media, { "secure.test": ["127.0.0.1"] });
    expect(await outcome("/", `https://secure.test:${media.port}`)).toEqual(failed("urlTimeout"));
  });

  test("gives up a name that can't be resolved in time", async () => {
    const resolve = (hostname: string) =>
      hostname === "stuck.test" ? new Promise<never>(() => {}) : Promise.resolve([{ address: "8.8.8.8" }]);
    const server = await startTestServer({ resolve, fetchTimes: times });
    const person = await signUp(server);
    expect(await refusal(await ask(person, "https://stuck.test/"))).toBe("504 urlTimeout");
  });

  test("gives up a header that arrives byte by byte", async () => {
    const media = await openSilence((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
      const drip = setInterval(() => socket.write("a"), 100);
      socket.once("close", () => clearInterval(drip));
    });
    const { outcome } = await attacked(media);
    expect(await outcome("/")).toEqual(failed("urlTimeout"));
  });

  test("gives up an answer that stops in the middle", async () => {
    const media = await openMedia({
      "/a.wav": (_request, response) => {
        response.writeHead(200, { "Content-Length": String(wav.length) }).write(wav.subarray(0, 9_000));
      },
    });
    const { outcome, rest } = await attacked(media);
    expect(await outcome("/a.wav")).toEqual(failed("urlTimeout"));
    expect(await rest()).toEqual(nothing);
  });

  test("gives up an answer that arrives byte by byte after its time limit", async () => {
    const media = await openMedia({
      "/a.wav": (_request, response) => {
        response.writeHead(200, { "Content-Type": "audio/wav" });
        const drip = setInterval(() => response.write("a"), 50);
        response.once("close", () => clearInterval(drip));
      },
    });
    const { outcome, rest } = await attacked(media);
    expect(await outcome("/a.wav")).toEqual(failed("urlTimeout"));
    expect(media.asked.length).toBe(1);
    expect(await rest()).toEqual(nothing);
  });

  test("treats an answer that ends early as no recording", async () => {
    const media = await openMedia({
      "/a.wav": (_request, response) => {
        response.writeHead(200, { "Content-Length": String(wav.length) });
        response.write(wav.subarray(0, 9_000), () => response.destroy());
      },
    });
    const { outcome, rest } = await attacked(media);
    expect(await outcome("/a.wav")).toEqual(failed("urlUnreachable"));
    expect(await rest()).toEqual(nothing);
  });

  test("fails for a server that does not speak HTTP", async () => {
    const media = await openSilence((socket) => void socket.write("SSH-2.0-OpenSSH_9.6\r\n"));
    const { outcome } = await attacked(media);
    expect(await outcome("/")).toEqual(failed("urlUnreachable"));
  });
});
