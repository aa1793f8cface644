import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { base, type Person, read, refusal, settled, signUp, startTestServer } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { leadingTo, type Media, openMedia, openSilence, sending } from "#tests/server/media.ts";

// Issue 4, "Bad input": servers that mean harm to this one, its network or its disk.

const wav = buzzWav(1);
const audio = sending(wav, { "Content-Type": "audio/wav" });
const times = { connectMs: 400, idleMs: 400, wholeMs: 3_000 };

const ask = (person: Person, url: string) =>
  person.call("POST", `${base}/transcribe-url`, { clientId: crypto.randomUUID(), sourceLanguage: "en", url });

/** Names that resolve to another address at each lookup; the last one is kept. */
function changing(names: Record<string, string[]>) {
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    asked.push(hostname);
    const left = names[hostname] ?? [];
    const address = left.length > 1 ? left.shift() : left[0];
    return address === undefined ? [] : [{ address }];
  };
  return { resolve, asked };
}

/** A server that may fetch from `media.test` on the port of `media`, and somebody who asks it to. */
async function attacked(media: Media, names: Record<string, string[]> = {}, options: Parameters<typeof startTestServer>[0] = {}) {
  const { resolve, asked } = changing({ "media.test": ["127.0.0.1"], ...names });
  const env = { FETCH_ALLOW_HOSTS: `media.test:${media.port},secure.test:${media.port}`, MAX_UPLOAD_MB: "1", ...options.env };
  const now = { at: Date.now() };
  const server = await startTestServer({ resolve, fetchTimes: times, now: () => now.at, ...options, env });
  const person = await signUp(server);
  const outcome = async (path: string, origin = `http://media.test:${media.port}`) => {
    const { id } = await read(await ask(person, origin + path), 202, Transcription);
    // Temporary failures are retried three times, with waits between.
    const hurry = setInterval(() => {
      now.at += 5_000;
    }, 20);
    onTestFinished(() => clearInterval(hurry));
    const { status, error, hasAudio } = await settled(person, id);
    return { status, code: error?.code, hasAudio };
  };
  const rest = async () => ({
    incoming: await readdir(join(server.dataDir, "incoming")),
    audio: await readdir(join(server.dataDir, "audio")),
  });
  return { server, person, outcome, rest, asked };
}

const failed = (code: string) => ({ status: "failed", code, hasAudio: false });
const nothing = { incoming: [], audio: [] };

describe("a way inside", () => {
  test.each([
    "http://127.0.0.1:{inside}/",
    "http://localhost:{inside}/",
    "http://[::1]:{inside}/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::ffff:127.0.0.1]:{inside}/",
    "http://2130706433:{inside}/",
    "//127.0.0.1:{inside}/",
    "http://10.0.0.1/",
    "file:///etc/passwd",
    "http://me:secret@media.test:{media}/a.wav",
    "http://media.test:22/",
  ])("by a redirect to %s is refused, and nobody there is asked", async (location) => {
    const inside = await openMedia({ "/": audio });
    const media = await openMedia({
      "/talk": (request, response) => {
        const port = String(request.socket.localPort);
        leadingTo(location.replace("{inside}", String(inside.port)).replace("{media}", port))(request, response);
      },
    });
    const { outcome, rest } = await attacked(media, { localhost: ["127.0.0.1"] });
    expect(await outcome("/talk")).toEqual(failed("urlRefused"));
    expect(inside.asked).toEqual([]);
    expect(await rest()).toEqual(nothing);
  });

  test("by a feed's recording is refused", async () => {
    const inside = await openMedia({ "/": audio });
    const media = await openMedia({
      "/feed": sending(`<rss><item><enclosure url="http://127.0.0.1:${inside.port}/"/></item></rss>`),
    });
    const { outcome } = await attacked(media);
    expect(await outcome("/feed")).toEqual(failed("urlRefused"));
    expect(inside.asked).toEqual([]);
  });

  test("by a name that stands for it the second time is refused", async () => {
    const inside = await openMedia({ "/": audio });
    const { person, asked, outcome } = await attacked(await openMedia({}), { "rebinding.test": ["8.8.8.8", "127.0.0.1"] });
    expect(await outcome("/", `http://rebinding.test:${inside.port}`)).toEqual(failed("urlRefused"));
    expect(asked).toEqual(["rebinding.test", "rebinding.test"]);
    expect(inside.asked).toEqual([]);
    expect(await refusal(await ask(person, `http://rebinding.test:${inside.port}/`))).toBe("422 urlRefused");
  });

  test("by a name that changes between check and connection does not exist: the checked address is connected to", async () => {
    // 127.0.0.1 when it is asked for, and checked; 127.0.0.2, where nobody listens, ever after.
    const media = await openMedia({ "/a.wav": audio });
    const { outcome, asked } = await attacked(media, { "media.test": ["127.0.0.1", "127.0.0.1", "127.0.0.2"] });
    expect(await outcome("/a.wav")).toMatchObject({ status: "completed" });
    expect(asked).toEqual(["media.test", "media.test"]);
  });

  test("from https to http is not followed", async () => {
    const folder = new URL("../../../fixtures/tls/", import.meta.url);
    const [key, cert] = await Promise.all([readFile(new URL("key.pem", folder)), readFile(new URL("cert.pem", folder))]);
    const trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, cert.toString()]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    const media = await openMedia(
      {
        "/a.wav": audio,
        "/up": leadingTo("/a.wav"),
        "/down": (request, response) => leadingTo(`http://${request.headers.host}/a.wav`)(request, response),
      },
      { key, cert },
    );
    const { outcome } = await attacked(media, { "secure.test": ["127.0.0.1"] });
    const origin = `https://secure.test:${media.port}`;
    expect(await outcome("/up", origin)).toMatchObject({ status: "completed" });
    expect(await outcome("/down", origin)).toEqual(failed("urlRefused"));
    // A certificate for another name.
    expect(await outcome("/a.wav", `https://media.test:${media.port}`)).toEqual(failed("urlUnreachable"));
  });
});

describe("too much", () => {
  test("said beforehand is not begun", async () => {
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
  ])("an answer %s is broken off", async (_name, beginning) => {
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
  ])("packed in little (%s) is broken off when it has come out", async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(100_000);
    const media = await openMedia({ "/bomb": sending(bomb, { "Content-Encoding": encoding, "Content-Type": "audio/wav" }) });
    const { outcome, rest } = await attacked(media);
    expect(await outcome("/bomb")).toEqual(failed("tooLarge"));
    expect(await rest()).toEqual(nothing);
  });

  test.each(["gzip, gzip", "compress", "gzip"])("packed in %s, and not what it says, fails", async (encoding) => {
    const media = await openMedia({ "/odd": sending(wav, { "Content-Encoding": encoding }) });
    const { outcome } = await attacked(media);
    expect(await outcome("/odd")).toEqual(failed("urlUnreachable"));
  });

  test("in its header fails", async () => {
    const media = await openMedia({
      "/": (_request, response) => void response.writeHead(200, { "X-Much": "a".repeat(60_000) }).end(wav),
    });
    const { outcome } = await attacked(media);
    expect(await outcome("/")).toEqual(failed("urlUnreachable"));
  });
});

describe("too slow", () => {
  test("to say a word, a connection is given up", async () => {
    const { outcome, rest } = await attacked(await openSilence());
    expect(await outcome("/")).toEqual(failed("urlTimeout"));
    expect(await rest()).toEqual(nothing);
  });

  test("to agree on a key, a connection is given up", async () => {
    const media = await openSilence();
    const { outcome } = await attacked(media, { "secure.test": ["127.0.0.1"] });
    expect(await outcome("/", `https://secure.test:${media.port}`)).toEqual(failed("urlTimeout"));
  });

  test("a name is given up", async () => {
    const resolve = (hostname: string) =>
      hostname === "stuck.test" ? new Promise<never>(() => {}) : Promise.resolve([{ address: "8.8.8.8" }]);
    const server = await startTestServer({ resolve, fetchTimes: times });
    const person = await signUp(server);
    expect(await refusal(await ask(person, "https://stuck.test/"))).toBe("504 urlTimeout");
  });

  test("one byte of its header at a time, an answer is given up", async () => {
    const media = await openSilence((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
      const drip = setInterval(() => socket.write("a"), 100);
      socket.once("close", () => clearInterval(drip));
    });
    const { outcome } = await attacked(media);
    expect(await outcome("/")).toEqual(failed("urlTimeout"));
  });

  test("stopping in the middle, an answer is given up", async () => {
    const media = await openMedia({
      "/a.wav": (_request, response) => {
        response.writeHead(200, { "Content-Length": String(wav.length) }).write(wav.subarray(0, 9_000));
      },
    });
    const { outcome, rest } = await attacked(media);
    expect(await outcome("/a.wav")).toEqual(failed("urlTimeout"));
    expect(await rest()).toEqual(nothing);
  });

  test("one byte at a time, an answer is given up when the time for all of it is over", async () => {
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

  test("ending early, an answer is no recording", async () => {
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

  test("speaking another language, a server is not understood", async () => {
    const media = await openSilence((socket) => void socket.write("SSH-2.0-OpenSSH_9.6\r\n"));
    const { outcome } = await attacked(media);
    expect(await outcome("/")).toEqual(failed("urlUnreachable"));
  });
});
