import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, type TokenSource } from "#src/api/http.ts";
import { checkFile, createDiscard, createUpload, partBytes, type Upload } from "#src/api/uploads.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

// In Node, tus-js-client would load its Node build, which does not know browser files.
vi.mock("tus-js-client", () => {
  vi.stubGlobal("window", globalThis);
  return vi.importActual("tus-js-client/lib.esm/browser/index.js");
});

const there = "http://api/api/v1/uploads/7d0f0a3c-0d8e-4a3b-9d53-3a4b0e6a9d11";

const upload: Upload = {
  clientId: "6f2c1c7e-0f3e-4b57-9d0b-6d8f5a1f8f10",
  file: new File(["some sound"], 'a"b\r\n<i>.wav', { type: "audio/wav" }),
  url: null,
  sourceLanguage: "en",
  targetLanguage: "es",
  title: "",
  vocabulary: "Zoë",
  speakers: true,
  speakerCount: 3,
};
const size = upload.file.size;

let sent: FakeRequest[] = [];

/** The part of XMLHttpRequest that an upload uses; the test triggers its events. */
class FakeRequest {
  readonly upload: { onprogress?: (event: { loaded: number }) => void; onload?: () => void } = {};
  readonly headers = new Headers();
  method = "";
  url = "";
  body: Blob | null = null;
  withCredentials = false;
  timeout = 0;
  status = 0;
  responseText = "";
  answered: Record<string, string> = {};
  onload = () => {};
  onerror = () => {};
  ontimeout = () => {};
  onabort = () => {};

  open(method: string, url: string) {
    this.method = method;
    this.url = url;
  }
  setRequestHeader(name: string, value: string) {
    this.headers.set(name, value);
  }
  getAllResponseHeaders() {
    return Object.entries(this.answered)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("");
  }
  send(body: Blob | null) {
    this.body = body;
    sent.push(this);
  }
  abort() {
    this.onabort();
  }
  answer(status: number, headers: Record<string, string> = {}, body: unknown = "") {
    this.status = status;
    this.answered = headers;
    this.responseText = typeof body === "string" ? body : JSON.stringify(body);
    this.onload();
  }
}

beforeEach(() => {
  sent = [];
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
});
afterEach(() => vi.unstubAllGlobals());

function tokensOf(...list: string[]): TokenSource & { refused: string[] } {
  const refused: string[] = [];
  return {
    refused,
    live: async () => list[refused.length],
    held: () => list[refused.length],
    renewed: async (token) => {
      refused.push(token);
      const next = list[refused.length];
      if (next === undefined) throw new ApiError(401, "unauthorized");
      return next;
    },
  };
}

function begin(tokens: TokenSource = tokensOf("one"), what: Upload = upload, send = createUpload("http://api", tokens)) {
  const stop = new AbortController();
  const loaded: number[] = [];
  const urls: (string | null)[] = [];
  const outcome = send(what, stop.signal, {
    onSent: (bytes) => void loaded.push(bytes),
    onUrl: (url) => void urls.push(url),
  });
  // Each test awaits the outcome later; this avoids an unhandled rejection before that.
  outcome.catch(() => {});
  return { outcome, stop, loaded, urls };
}

const nth = (count: number) =>
  vi
    .waitFor(() => expect(sent.length).toBe(count), { interval: 1, timeout: timeLimit(5_000) })
    .then(() => sent[count - 1] ?? new FakeRequest());

const metadataOf = (request: FakeRequest) =>
  Object.fromEntries(
    (request.headers.get("Upload-Metadata") ?? "").split(",").map((pair) => {
      const [key = "", value = ""] = pair.split(" ");
      return [key, Buffer.from(value, "base64").toString()];
    }),
  );

const created = { Location: "/api/v1/uploads/7d0f0a3c-0d8e-4a3b-9d53-3a4b0e6a9d11" };
const at = (offset: number) => ({ "Upload-Offset": String(offset), "Upload-Length": String(size) });

describe("resumable upload", () => {
  test("sends metadata and file, and returns the transcription's id", async () => {
    const { outcome, loaded, urls } = begin();
    const first = await nth(1);
    expect([first.method, first.url, first.withCredentials]).toEqual(["POST", "http://api/api/v1/uploads", true]);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      authorization: "Bearer one",
      "tus-resumable": "1.0.0",
      "upload-length": String(size),
    });
    const { clientId, file } = upload;
    expect(metadataOf(first)).toEqual({
      clientId,
      sourceLanguage: "en",
      targetLanguage: "es",
      vocabulary: "Zoë",
      speakers: "1",
      speakerCount: "3",
      filename: file.name,
      filetype: "audio/wav",
    });
    first.answer(201, created);
    const second = await nth(2);
    expect([second.method, second.url, second.headers.get("Upload-Offset")]).toEqual(["PATCH", there, "0"]);
    expect(await second.body?.text()).toBe("some sound");
    second.upload.onprogress?.({ loaded: 3 });
    second.answer(204, at(size));
    expect(await outcome).toBe(there.split("/").at(-1));
    expect([loaded, urls]).toEqual([[0, 3, size], [there]]);
  });

  test("an upload omits options that are not set", async () => {
    begin(tokensOf("one"), { ...upload, targetLanguage: null, vocabulary: "", speakers: false });
    expect(Object.keys(metadataOf(await nth(1)))).toEqual(["clientId", "sourceLanguage", "filename", "filetype"]);
  });

  test("an upload continues at the end of the server's part", async () => {
    const { outcome, loaded } = begin(tokensOf("one"), { ...upload, url: there });
    const head = await nth(1);
    expect([head.method, head.url]).toEqual(["HEAD", there]);
    head.answer(200, at(5));
    const part = await nth(2);
    expect([part.method, part.headers.get("Upload-Offset"), await part.body?.text()]).toEqual(["PATCH", "5", "sound"]);
    part.answer(204, at(size));
    expect(await outcome).toBe(there.split("/").at(-1));
    expect(loaded[0]).toBe(5);
  });

  test("returns the transcription of an upload that the server already has", async () => {
    const { outcome } = begin(tokensOf("one"), { ...upload, url: there });
    (await nth(1)).answer(200, { ...at(size), Location: "/api/v1/uploads/another" });
    expect(await outcome).toBe("another");
    expect(sent).toHaveLength(1);
  });

  test.each([404, 410])("starts again once when the server has lost the upload (%i)", async (status) => {
    const { urls } = begin(tokensOf("one"), { ...upload, url: there });
    (await nth(1)).answer(status);
    const second = await nth(2);
    expect([second.method, urls]).toEqual(["POST", [null]]);
    second.answer(201, created);
    expect((await nth(3)).method).toBe("PATCH");
  });

  test("continues with what has arrived when the first answer was lost", async () => {
    const { outcome } = begin();
    (await nth(1)).answer(201, created);
    (await nth(2)).answer(409, {}, { message: "Elsewhere.", code: "conflict" });
    const head = await nth(3);
    expect(head.method).toBe("HEAD");
    head.answer(200, at(size));
    expect(await outcome).toBe(there.split("/").at(-1));
  });

  test("an upload sends a large file in parts", async () => {
    const file = new File([new Uint8Array(partBytes + 10)], "large.wav");
    begin(tokensOf("one"), { ...upload, file });
    (await nth(1)).answer(201, created);
    const first = await nth(2);
    expect(first.body?.size).toBe(partBytes);
    first.answer(204, { "Upload-Offset": String(partBytes) });
    const second = await nth(3);
    expect([second.headers.get("Upload-Offset"), second.body?.size]).toEqual([String(partBytes), 10]);
  });

  test("repeats the request once with a new token after a 401", async () => {
    const tokens = tokensOf("old", "new");
    const { outcome } = begin(tokens);
    (await nth(1)).answer(401, {}, { message: "expired", code: "unauthorized" });
    const second = await nth(2);
    expect([second.headers.get("Authorization"), tokens.refused]).toEqual(["Bearer new", ["old"]]);
    second.answer(401, {}, { message: "expired", code: "unauthorized" });
    await expect(outcome).rejects.toMatchObject({ status: 401, code: "unauthorized" });
    expect(sent).toHaveLength(2);
  });

  test("an upload does not start for a signed-out user", async () => {
    await expect(begin(tokensOf()).outcome).rejects.toMatchObject({ status: 401, code: "unauthorized" });
    expect(sent).toEqual([]);
  });

  test.each([
    ["a refusal of ours", 422, { message: "No.", code: "languageUnavailable" }, "languageUnavailable"],
    ["a proxy's page", 413, "<html>too big</html>", "tooLarge"],
    ["a gateway's page", 502, "<html>bad gateway</html>", "internal"],
    ["a code of a later version", 422, { message: "No.", code: "fromTheFuture" }, "badRequest"],
  ])("an upload turns %s (%i) into the right error code", async (_, status, body, code) => {
    const { outcome } = begin();
    (await nth(1)).answer(status, {}, body);
    await expect(outcome).rejects.toMatchObject({ name: "UploadError", status, code, progressed: false });
  });

  test.each(["onerror", "ontimeout"] as const)("an upload without an answer reports a network error (%s)", async (happening) => {
    const { outcome } = begin();
    (await nth(1))[happening]();
    await expect(outcome).rejects.toMatchObject({ name: "UploadError", status: 0, code: "network" });
  });

  test("an upload reports whether the previous attempt made progress", async () => {
    const tokens = tokensOf("one");
    const send = createUpload("http://api", tokens);
    const resumed = { ...upload, url: there };
    for (const [index, [offset, progressed]] of (
      [
        [3, true],
        [3, false],
        [4, true],
      ] as const
    ).entries()) {
      const { outcome } = begin(tokens, resumed, send);
      (await nth(2 * index + 1)).answer(200, at(offset));
      (await nth(2 * index + 2)).onerror();
      await expect(outcome).rejects.toMatchObject({ progressed });
    }
  });

  test("ends at once when it is aborted, without a failure", async () => {
    const { outcome, stop } = begin();
    const request = await nth(1);
    const ended = vi.spyOn(request, "abort");
    stop.abort(new Error("called off"));
    await expect(outcome).rejects.toThrow("called off");
    expect(ended).toHaveBeenCalled();
  });

  test("has no time limit while bytes leave, and then waits for the answer", async () => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(1000);
    begin();
    const request = await nth(1);
    expect(request.timeout).toBe(60_000);
    clock.mockReturnValue(1000 + 59_000);
    request.upload.onprogress?.({ loaded: 1 });
    expect(request.timeout).toBe(59_000 + 60_000);
    request.upload.onload?.();
    expect(request.timeout).toBe(59_000 + 60_000);
    clock.mockRestore();
  });

  test("does not start when the file is no longer readable", async () => {
    const file = new File(["x"], "gone.wav");
    vi.spyOn(file, "slice").mockReturnValue(unreadable());
    await expect(begin(tokensOf("one"), { ...upload, file }).outcome).rejects.toMatchObject({ code: "unreadable" });
    expect(sent).toEqual([]);
  });
});

test("a canceled upload deletes the server's part with the same token", async () => {
  const asked: [unknown, RequestInit | undefined][] = [];
  vi.stubGlobal("fetch", async (url: unknown, init?: RequestInit) => {
    asked.push([url, init]);
    return new Response(null, { status: 204 });
  });
  await createDiscard(tokensOf("one"))(there, new AbortController().signal);
  const [url, init] = asked[0] ?? [];
  expect([url, init?.method, new Headers(init?.headers).get("Authorization")]).toEqual([there, "DELETE", "Bearer one"]);
});

function unreadable(): Blob {
  const blob = new Blob();
  vi.spyOn(blob, "arrayBuffer").mockRejectedValue(new DOMException("changed", "NotReadableError"));
  return blob;
}

test("checking a file for an upload reads almost nothing", async () => {
  const file = new File(["a".repeat(1000)], "a.wav");
  const slice = vi.spyOn(file, "slice");
  await checkFile(file);
  expect(slice).toHaveBeenCalledWith(0, 1);
  await checkFile(new File([], "empty.wav"));
});
