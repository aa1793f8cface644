import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Transcription } from "../../src/api/contract/index.ts";
import { ApiError, type TokenSource } from "../../src/api/http.ts";
import { createUpload, lookAt, type Upload } from "../../src/api/upload.ts";

const accepted: Transcription = {
  id: "t1",
  title: "talk",
  text: "",
  translatedText: "",
  sourceLanguage: "en",
  targetLanguage: "es",
  date: "2026-11-20T10:00:00.000Z",
  status: "processing",
  origin: "upload",
  durationSeconds: null,
  hasAudio: true,
  progress: null,
  error: null,
  segments: [],
  fileName: "talk.wav",
  engine: null,
};

const upload: Upload = {
  clientId: "6f2c1c7e-0f3e-4b57-9d0b-6d8f5a1f8f10",
  file: new File(["sound"], 'a"b\r\n<i>.wav', { type: "audio/wav" }),
  sourceLanguage: "en",
  targetLanguage: "es",
};

let sent: FakeRequest[] = [];

/** What an upload uses of XMLHttpRequest; the test says what happens to it. */
class FakeRequest {
  readonly upload: { onprogress?: (event: { loaded: number }) => void; onload?: () => void } = {};
  readonly headers = new Headers();
  method = "";
  url = "";
  body: FormData | undefined;
  withCredentials = false;
  timeout = 0;
  status = 0;
  responseText = "";
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
  send(body: FormData) {
    this.body = body;
    sent.push(this);
  }
  abort() {
    this.onabort();
  }
  answer(status: number, body: unknown) {
    this.status = status;
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
    live: async () => list[0],
    held: () => list[0],
    renewed: async (token) => {
      refused.push(token);
      const next = list[refused.length];
      if (next === undefined) throw new ApiError(401, "unauthorized");
      return next;
    },
  };
}

function begin(tokens: TokenSource = tokensOf("one"), what: Upload = upload) {
  const stop = new AbortController();
  const loaded: number[] = [];
  const outcome = createUpload("http://api", tokens)(what, stop.signal, (count) => loaded.push(count));
  // Every test looks at it in its own time.
  outcome.catch(() => {});
  return { outcome, stop, loaded };
}

const nth = (count: number) =>
  vi.waitFor(() => expect(sent.length).toBe(count), { interval: 1 }).then(() => sent[count - 1] ?? new FakeRequest());

describe("an upload", () => {
  test("sends the fields before the file, and gives the transcription back", async () => {
    const { outcome, loaded } = begin();
    const request = await nth(1);
    expect([request.method, request.url, request.withCredentials]).toEqual([
      "POST",
      "http://api/api/v1/audio-transcriptions/upload-and-transcribe",
      true,
    ]);
    expect(request.headers.get("Authorization")).toBe("Bearer one");
    expect([...(request.body?.keys() ?? [])]).toEqual(["clientId", "sourceLanguage", "targetLanguage", "size", "file"]);
    expect(request.body?.get("size")).toBe("5");
    expect(request.body?.get("file")).toMatchObject({ name: upload.file.name, size: 5 });
    request.upload.onprogress?.({ loaded: 3 });
    request.upload.onprogress?.({ loaded: 5 });
    request.answer(202, accepted);
    expect(await outcome).toEqual(accepted);
    expect(loaded).toEqual([3, 5]);
  });

  test("without a translation asks for none", async () => {
    begin(tokensOf("one"), { ...upload, targetLanguage: null });
    expect((await nth(1)).body?.has("targetLanguage")).toBe(false);
  });

  test("goes out again with a new token after a 401, once", async () => {
    const tokens = tokensOf("old", "new");
    const { outcome } = begin(tokens);
    (await nth(1)).answer(401, { message: "expired", code: "unauthorized" });
    const second = await nth(2);
    expect([second.headers.get("Authorization"), tokens.refused]).toEqual(["Bearer new", ["old"]]);
    second.answer(401, { message: "expired", code: "unauthorized" });
    await expect(outcome).rejects.toMatchObject({ status: 401, code: "unauthorized" });
    expect(sent).toHaveLength(2);
  });

  test("of somebody who is signed out is not begun", async () => {
    await expect(begin(tokensOf()).outcome).rejects.toMatchObject({ status: 401, code: "unauthorized" });
    expect(sent).toEqual([]);
  });

  test.each([
    ["a refusal of ours", 422, { message: "No.", code: "languageUnavailable" }, "languageUnavailable"],
    ["a proxy's page", 413, "<html>too big</html>", "tooLarge"],
    ["a gateway's page", 502, "<html>bad gateway</html>", "internal"],
    ["a code of a later version", 422, { message: "No.", code: "fromTheFuture" }, "internal"],
    ["an answer that is none", 202, { hello: "world" }, "internal"],
    ["an answer that is no JSON", 200, "ok", "internal"],
  ])("%s: %i", async (_, status, body, code) => {
    const { outcome } = begin();
    (await nth(1)).answer(status, body);
    await expect(outcome).rejects.toMatchObject({ name: "ApiError", status, code });
  });

  test.each(["onerror", "ontimeout"] as const)("no answer (%s) is said to be none", async (happening) => {
    const { outcome } = begin();
    (await nth(1))[happening]();
    await expect(outcome).rejects.toMatchObject({ name: "ApiError", status: 0, code: "network" });
  });

  test("that is called off ends at once, and is no failure", async () => {
    const { outcome, stop } = begin();
    const request = await nth(1);
    const ended = vi.spyOn(request, "abort");
    stop.abort(new Error("called off"));
    await expect(outcome).rejects.toThrow("called off");
    expect(ended).toHaveBeenCalledOnce();
  });

  test("may go on for as long as bytes leave; then an answer is waited for longer", async () => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(1000);
    begin();
    const request = await nth(1);
    expect(request.timeout).toBe(60_000);
    clock.mockReturnValue(1000 + 59_000);
    request.upload.onprogress?.({ loaded: 1 });
    expect(request.timeout).toBe(59_000 + 60_000);
    request.upload.onload?.();
    expect(request.timeout).toBe(59_000 + 300_000);
    clock.mockRestore();
  });

  test("of a file that can't be read any more is not begun", async () => {
    const file = new File(["x"], "gone.wav");
    vi.spyOn(file, "slice").mockReturnValue(unreadable());
    await expect(begin(tokensOf("one"), { ...upload, file }).outcome).rejects.toMatchObject({ code: "unreadable" });
    expect(sent).toEqual([]);
  });
});

function unreadable(): Blob {
  const blob = new Blob();
  vi.spyOn(blob, "arrayBuffer").mockRejectedValue(new DOMException("changed", "NotReadableError"));
  return blob;
}

test("looking at a file reads next to nothing of it", async () => {
  const file = new File(["a".repeat(1000)], "a.wav");
  const slice = vi.spyOn(file, "slice");
  await lookAt(file);
  expect(slice).toHaveBeenCalledWith(0, 1);
  await lookAt(new File([], "empty.wav"));
});
