import { describe, expect, test } from "vitest";
import { ApiError, createCall, createPlainSend } from "#src/api/http.ts";
import { audioPath, createTranscriptionsApi, eventsPath } from "#src/api/transcriptions.ts";
import { row, transcription } from "#tests/machines/harness.ts";

/** The calls against a server that gives this answer to each. */
function setUp(answer: () => Response) {
  const asked: { path: string; method: string; body: unknown; credentials: RequestInit["credentials"]; keepalive: unknown }[] =
    [];
  const send = createPlainSend("", async (path, init) => {
    const { method = "GET", body, credentials, keepalive } = init ?? {};
    const sent: unknown = typeof body === "string" ? JSON.parse(body) : body;
    asked.push({ path: String(path), method, body: sent, credentials, keepalive });
    return answer();
  });
  return { asked, api: createTranscriptionsApi(createCall(send), send) };
}
const base = "/api/v1/audio-transcriptions";
const json = (body: unknown) => () => Response.json(body);

describe("transcription calls", () => {
  // SPEC 7 Transcriptions: "GET /api/v1/audio-transcriptions/transcription-history"
  test("transcription calls request the history", async () => {
    const answer = { data: [row(1)], pagination: { page: 2, limit: 20, total: 21, totalPages: 2 } };
    const { api, asked } = setUp(json(answer));
    expect(await api.history({ page: 2, limit: 20 })).toEqual(answer);
    expect(asked).toMatchObject([{ path: `${base}/transcription-history?page=2&limit=20`, method: "GET" }]);
  });

  test("transcription calls request the history in another order from a cursor", async () => {
    const answer = { data: [], pagination: { page: 2, limit: 20, total: 21, totalPages: 2 }, next: "a+b" };
    const { api, asked } = setUp(json(answer));
    expect(await api.history({ page: 2, limit: 20, sort: "title", after: "a+b" })).toEqual(answer);
    await api.history({ page: 1, limit: 20, sort: "newest" });
    expect(asked.map(({ path }) => path)).toEqual([
      `${base}/transcription-history?page=2&limit=20&sort=title&after=a%2Bb`,
      `${base}/transcription-history?page=1&limit=20`,
    ]);
  });

  test("transcription calls request one transcription by any id", async () => {
    const { api, asked } = setUp(json(transcription()));
    expect(await api.get("a/../b?c")).toEqual(transcription());
    expect(asked[0]?.path).toBe(`${base}/transcription/a%2F..%2Fb%3Fc`);
  });

  // SPEC 7 Transcriptions: "PUT /audio/remove-transcription/{id}"
  test("transcription calls send changes", async () => {
    const { api, asked } = setUp(json(transcription()));
    await api.update("t/1", { title: "new", edits: [{ index: 0, text: "x" }], targetLanguage: null });
    expect(asked).toMatchObject([
      {
        path: "/audio/remove-transcription/t%2F1",
        method: "PUT",
        body: { title: "new", edits: [{ index: 0, text: "x" }], targetLanguage: null },
      },
    ]);
  });

  // SPEC 7 Transcriptions: "DELETE /audio/remove-transcription/{id}"
  test("transcription calls send a deletion that outlives the page", async () => {
    const { api, asked } = setUp(json({ id: "t1", purgeAt: "2026-03-01T10:10:00.000Z" }));
    await api.remove("t1");
    expect(asked).toMatchObject([{ path: "/audio/remove-transcription/t1", method: "DELETE", body: undefined, keepalive: true }]);
  });

  // SPEC 7 Transcriptions: "POST api/v1/audio-transcriptions/save-final-transcription"
  test("transcription calls save a dictation", async () => {
    const { api, asked } = setUp(json(transcription()));
    const final = {
      clientId: crypto.randomUUID(),
      title: "",
      text: "one",
      translatedText: "",
      segments: [],
      sourceLanguage: "en",
      targetLanguage: null,
      date: "2026-03-01T10:00:00.000Z",
    } as const;
    await api.saveFinal({ ...final, segments: [] });
    expect(asked).toMatchObject([{ path: `${base}/save-final-transcription`, method: "POST", body: final }]);
  });

  test("transcription calls request access to the audio, with cookies", async () => {
    const { api, asked } = setUp(() => new Response(null, { status: 204 }));
    expect(await api.allowAudio("t1")).toEqual({ withCredentials: true });
    expect(asked).toMatchObject([{ path: `${base}/transcription/t1/audio-access`, method: "POST", credentials: "include" }]);
  });

  test("transcription calls return the address of audio stored elsewhere", async () => {
    const { api } = setUp(json({ direct: true }));
    expect(await api.allowAudio("t1")).toEqual({ withCredentials: false });
  });

  test("transcription calls build the addresses of audio and events", () => {
    expect(audioPath("a b")).toBe(`${base}/transcription/a%20b/audio`);
    expect([eventsPath(), eventsPath("a b")]).toEqual([`${base}/events`, `${base}/transcription/a%20b/events`]);
  });
});

describe("exported file", () => {
  const file = (disposition?: string) => () =>
    new Response("1\n00:00", { headers: disposition === undefined ? {} : { "Content-Disposition": disposition } });

  test.each([
    ["attachment; filename=\"x.srt\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%26%20more.srt", "Grüße & more.srt"],
    ["attachment; filename*=utf-8''a.srt; size=3", "a.srt"],
    ["attachment", "transcript.srt"],
    [undefined, "transcript.srt"],
  ])("an export uses the file name in %j, which is %s", async (disposition, name) => {
    const { api, asked } = setUp(file(disposition));
    const exported = await api.exportFile("t1", { format: "srt", content: "both", language: "pt-BR" });
    expect([exported.name, await exported.file.text()]).toEqual([name, "1\n00:00"]);
    expect(asked[0]?.path).toBe(`${base}/transcription/t1/export?format=srt&content=both&lng=pt-BR`);
  });
});

describe("failing transcription call", () => {
  test("a failed history request reports the server's error code", async () => {
    const { api } = setUp(() => Response.json({ message: "gone", code: "gone" }, { status: 410 }));
    await expect(api.update("t1", { deletedAt: null })).rejects.toMatchObject({ status: 410, code: "gone", message: "gone" });
  });

  test("a history request without an answer reports a network error", async () => {
    const { api } = setUp(() => {
      throw new TypeError("Failed to fetch");
    });
    await expect(api.get("t1")).rejects.toMatchObject({ status: 0, code: "network" });
    await expect(api.exportFile("t1", { format: "txt", content: "both", language: "en" })).rejects.toBeInstanceOf(ApiError);
    await expect(api.allowAudio("t1")).rejects.toMatchObject({ code: "network" });
  });

  test("a history request rejects an answer with a wrong shape", async () => {
    const { api } = setUp(json({ data: "none", pagination: {} }));
    await expect(api.history({ page: 1, limit: 20 })).rejects.toMatchObject({ code: "internal" });
  });
});
