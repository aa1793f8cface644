import { gzipSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import { download, keptBytes } from "#src/features/device-models/download.ts";
import { downloadBytes, type ModelFile, pieceBytes } from "#src/features/device-models/files.ts";
import { type Kept, keepScript, listStored, readStored } from "#src/features/device-models/kept.ts";

// The pieces of a model are fetched, interrupted, continued and compared with the build's digests.

/** Bytes that Gzip can't compress. */
function noise(length: number): Uint8Array<ArrayBuffer> {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state & 255;
  });
}

async function pack(name: string, content: Uint8Array<ArrayBuffer>) {
  const packed = gzipSync(content);
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", content)).toString("hex");
  const about: ModelFile = { url: `/assets/${name}-abc123.bin`, bytes: packed.length, sha256: digest, isGzipped: true };
  return { about, content, packed };
}

const large = await pack("encoder", noise(2.5 * pieceBytes));
const [decoder, tokens, silero, wasm] = await Promise.all([
  pack("decoder", noise(1_000)),
  pack("tokens", noise(1_001)),
  pack("silero", noise(1_002)),
  pack("wasm", noise(1_003)),
]);
const all = [large, decoder, tokens, silero, wasm];
const files = all.map(({ about }) => about);

class KeptPieces implements Kept {
  readonly pieces = new Map<string, Blob>();
  keys = async () => [...this.pieces.keys()].map((path) => new Request(`https://parlance.example${path}`));
  match = async (path: RequestInfo | URL) => {
    const piece = this.pieces.get(String(path));
    return piece === undefined ? undefined : new Response(piece);
  };
  put = async (path: RequestInfo | URL, response: Response) => {
    this.pieces.set(String(path), await response.blob());
  };
  delete = async (request: RequestInfo | URL) => {
    const { pathname, search } = new URL(request instanceof Request ? request.url : request);
    return this.pieces.delete(pathname + search);
  };
}

interface Host {
  ignoresRanges?: boolean;
  /** Bytes of an answer after which the connection breaks. */
  breaksAfter?: number;
  status?: number;
}

function serve({ ignoresRanges = false, breaksAfter = Number.POSITIVE_INFINITY, status }: Host = {}): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string, { headers }: { headers: { Range: string } }) => {
    asked.push(`${url} ${headers.Range}`);
    if (status !== undefined) return new Response(null, { status });
    const packed = all.find(({ about }) => about.url === url)?.packed ?? new Uint8Array(0);
    const start = ignoresRanges ? 0 : Number(/\d+/.exec(headers.Range)?.[0]);
    let sent = start;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (sent - start >= breaksAfter) return controller.error(new TypeError("network"));
        if (sent >= packed.length) return controller.close();
        const next = packed.subarray(sent, Math.min(sent + 300_000, start + breaksAfter));
        sent += next.length;
        controller.enqueue(next);
      },
    });
    const range = `bytes ${start}-${packed.length - 1}/${packed.length}`;
    return ignoresRanges ? new Response(body) : new Response(body, { status: 206, headers: { "Content-Range": range } });
  });
  return asked;
}

function setUp() {
  const kept = new KeptPieces();
  const fractions: number[] = [];
  const controller = new AbortController();
  const run = () =>
    download({
      kept,
      files,
      ask: fetch,
      signal: controller.signal,
      onProgress: (fraction) => {
        fractions.push(fraction);
      },
    });
  return { kept, fractions, controller, run };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test("stores a model in pieces that match the build", async () => {
  const { kept, fractions, run } = setUp();
  const asked = serve();
  await run();
  expect(asked).toEqual(all.map(({ about: { url } }) => `${url} bytes=0-`));
  expect([...kept.pieces.values()].map(({ size }) => size)).toEqual([
    pieceBytes,
    pieceBytes,
    large.about.bytes - 2 * pieceBytes,
    ...[decoder, tokens, silero, wasm].map(({ about }) => about.bytes),
  ]);
  expect([fractions[0], fractions.toSorted((a, b) => a - b)]).toEqual([0, fractions]);
  expect(Buffer.from(await readStored(kept, large.about)).equals(large.content)).toBe(true);
  expect(Buffer.from(await readStored(kept, tokens.about)).equals(tokens.content)).toBe(true);
});

test("continues after the last complete piece when the connection breaks", async () => {
  const { kept, run } = setUp();
  serve({ breaksAfter: 1.5 * pieceBytes });
  await expect(run()).rejects.toMatchObject({ code: "network" });
  expect(kept.pieces.size).toBe(1);
  const asked = serve();
  await run();
  expect(asked[0]).toBe(`${large.about.url} bytes=${pieceBytes}-`);
  expect(Buffer.from(await readStored(kept, large.about)).equals(large.content)).toBe(true);
});

test("cuts the same pieces from a host without range requests", async () => {
  const { kept, run } = setUp();
  serve({ breaksAfter: 1.5 * pieceBytes });
  await expect(run()).rejects.toMatchObject({ code: "network" });
  serve({ ignoresRanges: true });
  await run();
  expect(Buffer.from(await readStored(kept, large.about)).equals(large.content)).toBe(true);
});

test.each([
  [404, "gone"],
  [416, "gone"],
  [503, "network"],
])("the download of a model maps the answer %i to %s", async (status, code) => {
  const { run } = setUp();
  serve({ status });
  await expect(run()).rejects.toMatchObject({ code });
});

test("reports before the download that there is no space", async () => {
  const { run } = setUp();
  const asked = serve();
  vi.stubGlobal("navigator", { storage: { estimate: async () => ({ quota: 100_000, usage: 90_000 }) } });
  await expect(run()).rejects.toMatchObject({ code: "noSpace" });
  expect(asked).toEqual([]);
});

test("reports during the download that the space has run out", async () => {
  const { kept, run } = setUp();
  serve();
  kept.put = async () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  await expect(run()).rejects.toMatchObject({ code: "noSpace" });
});

test("the download of a model stops with the reason of its abort signal", async () => {
  const { controller, run } = setUp();
  vi.stubGlobal("fetch", async () => {
    controller.abort(new Error("paused"));
    throw controller.signal.reason;
  });
  await expect(run()).rejects.toThrow("paused");
});

test.each(["cut", "changed", "missing"])("the check of a downloaded model detects a %s piece", async (how) => {
  const { kept, run } = setUp();
  serve();
  await run();
  const path = `${large.about.url}?piece=1`;
  const whole = await kept.pieces.get(path)?.arrayBuffer();
  if (whole === undefined) throw new Error("It is not there.");
  if (how === "cut") kept.pieces.set(path, new Blob([whole.slice(1)]));
  if (how === "changed")
    kept.pieces.set(path, new Blob([new Uint8Array(whole).map((byte, index) => (index === 99 ? ~byte : byte))]));
  if (how === "missing") kept.pieces.delete(path);
  await expect(readStored(kept, large.about)).rejects.toMatchObject({ code: "damaged" });
});

test("deletes the pieces of another version, and reports that", async () => {
  const { kept, run } = setUp();
  serve();
  await run();
  const next = files.with(0, { ...large.about, url: "/assets/encoder-def456.bin" });
  const { pieces, wasReplaced } = await listStored(kept, next);
  expect([pieces.size, wasReplaced, kept.pieces.size]).toEqual([4, true, 4]);
  expect(keptBytes(files, pieces)).toBe(downloadBytes(files) - large.about.bytes);
  expect((await listStored(kept, next)).wasReplaced).toBe(false);
});

test("stores the newest build's worker script beside the pieces", async () => {
  const { kept, run } = setUp();
  serve();
  await run();
  const pieces = kept.pieces.size;
  const served = vi.fn(async (url: string) => new Response(`// ${url}`));
  vi.stubGlobal("fetch", served);
  for (const url of ["/assets/worker-1.js", "/assets/worker-1.js", "/assets/worker-2.js"]) await keepScript(kept, url);
  expect(served.mock.calls).toEqual([["/assets/worker-1.js"], ["/assets/worker-2.js"]]);
  expect(await kept.pieces.get("/assets/worker-2.js")?.text()).toBe("// /assets/worker-2.js");
  const listed = await listStored(kept, files);
  expect([listed.pieces.size, listed.wasReplaced, kept.pieces.size]).toEqual([pieces, false, pieces + 1]);
  vi.stubGlobal("fetch", async () => new Response(null, { status: 404 }));
  await keepScript(kept, "/assets/worker-3.js");
  expect(kept.pieces.size).toBe(pieces + 1);
});
