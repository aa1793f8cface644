import { afterEach, describe, expect, it } from "vitest";
import { speechLanguages } from "#contract/index.ts";
import type { SpeechEngine } from "#server/speech/engine.ts";
import { openOpenAi } from "#server/speech/openai.ts";
import type { StreamEvent } from "#speech/stream.ts";
import { type Answer, type Asked, deadUrl, type RemoteApi, remoteApi } from "./remote-api.ts";
import { chunked, fixturePcm, silence, voice } from "./sound.ts";

const key = "sk-very-secret-key";
const speech = Buffer.concat([silence(2), voice(3, -20), silence(2)]);
const verbose = {
  task: "transcribe",
  language: "english",
  duration: 3.6,
  text: "Hello, world.",
  segments: [{ id: 0, start: 0.3, end: 1.5, text: " Hello, world.", avg_logprob: -0.2, no_speech_prob: 0.01 }],
  words: [
    { word: "Hello", start: 0.3, end: 0.8 },
    { word: "world", start: 0.9, end: 1.5 },
  ],
};

const opened: RemoteApi[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((api) => api.close()));
});

async function serving(
  answer: (asked: Asked, count: number) => Answer | Promise<Answer>,
  own: { apiKey?: string; apiModel?: string; apiTimeoutMs?: number } = { apiKey: key },
): Promise<{ engine: SpeechEngine; api: RemoteApi }> {
  const api = await remoteApi(answer);
  opened.push(api);
  return { api, engine: openOpenAi({ apiUrl: `${api.url}/v1/`, ...own }) };
}

describe("the request to OpenAI's API", () => {
  // PROMISE speech: An OpenAI-compatible server recognizes these languages, too
  it("sends WAV, model, language, both granularities and the key as OpenAI's API expects", async () => {
    const { engine, api } = await serving(() => ({ body: verbose }), { apiKey: key, apiModel: "whisper-large-v3" });
    await engine.transcribe(speech, { language: "pt-br" });
    const [asked] = api.asked;
    expect(asked).toMatchObject({
      method: "POST",
      path: "/v1/audio/transcriptions",
      headers: { authorization: `Bearer ${key}` },
    });
    const form = await asked?.form();
    expect(form?.get("model")).toBe("whisper-large-v3");
    expect(form?.get("language")).toBe("pt");
    expect(form?.get("response_format")).toBe("verbose_json");
    expect(form?.getAll("timestamp_granularities[]")).toEqual(["word", "segment"]);
    const file = form?.get("file");
    if (!(file instanceof File)) throw new Error("no file was sent");
    expect([file.name, file.type]).toEqual(["audio.wav", "audio/wav"]);
    const wav = Buffer.from(await file.arrayBuffer());
    expect(wav.toString("latin1", 0, 4)).toBe("RIFF");
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    // The silence around the voice is cut off, except for a short margin.
    expect((wav.length - 44) / 32_000).toBeCloseTo(3.6, 0);
  });

  it("omits the language when it should be detected, and the key when none is set", async () => {
    const { engine, api } = await serving(() => ({ body: verbose }), {});
    await engine.transcribe(speech, { language: "auto" });
    expect((await api.asked[0]?.form())?.has("language")).toBe(false);
    expect((await api.asked[0]?.form())?.get("model")).toBe("whisper-1");
    expect(api.asked[0]?.headers.authorization).toBeUndefined();
  });

  it("sends no request for silence", async () => {
    const { engine, api } = await serving(() => ({ body: verbose }));
    expect(await engine.transcribe(fixturePcm("silent.wav"), { language: "en" })).toEqual([]);
    expect(api.asked).toEqual([]);
  });

  it("falls back to plain JSON for a model without verbose output and remembers the fallback", async () => {
    const { engine, api } = await serving(async (asked) => {
      const format = (await asked.form()).get("response_format");
      if (format === "json") return { body: { text: "plain words" } };
      return { status: 400, body: { error: { message: "response_format 'verbose_json' is not compatible with this model" } } };
    });
    const [segment] = await engine.transcribe(speech, { language: "en" });
    expect(segment?.words.map(({ text }) => text)).toEqual(["plain", "words"]);
    await engine.transcribe(speech, { language: "en" });
    expect(api.asked).toHaveLength(3);
  });
});

describe("the answer of OpenAI's API", () => {
  it("shifts the answer's times to the times of the recording", async () => {
    const { engine } = await serving(() => ({ body: verbose }));
    const segments = await engine.transcribe(speech, { language: "en" });
    const sentFrom = 1.64;
    expect(segments).toEqual([
      {
        start: expect.closeTo(sentFrom + 0.3, 1),
        end: expect.closeTo(sentFrom + 1.5, 1),
        text: "Hello, world.",
        words: [
          { text: "Hello,", start: expect.closeTo(sentFrom + 0.3, 1), end: expect.closeTo(sentFrom + 0.8, 1) },
          { text: "world.", start: expect.closeTo(sentFrom + 0.9, 1), end: expect.closeTo(sentFrom + 1.5, 1) },
        ],
      },
    ]);
  });
});

describe("the answer of a nearly compatible server", () => {
  /** The engine's result for 20 s of speech. Times count from the beginning of the sent sound. */
  async function recognized(body: unknown) {
    const { engine } = await serving(() => ({ body }));
    const segments = await engine.transcribe(Buffer.concat([silence(1), voice(20, -20), silence(1)]), { language: "en" });
    const at = (seconds: number) => Math.round((seconds - 0.64) * 10) / 10;
    return {
      segments: segments.map((segment) => ({ ...segment, start: at(segment.start), end: at(segment.end) })),
      words: segments.flatMap(({ words }) => words.map((word) => [word.text, at(word.start), at(word.end)])),
    };
  }

  it.each([[{ word: "2016" }], [{ word: "2016", start: null, end: null }]])(
    "interpolates the times of a word without times: %j",
    async (timeless) => {
      const words = [{ word: "in", start: 0, end: 0.4 }, timeless, { word: "we", start: 1.5, end: 2 }];
      const body = { text: "in 2016 we", segments: [{ start: 0, end: 2, text: "in 2016 we", words }] };
      expect((await recognized(body)).words).toEqual([
        ["in", 0, 0.4],
        ["2016", 0.4, 1.5],
        ["we", 1.5, 2],
      ]);
    },
  );

  it("joins a letter that the server splits over several words", async () => {
    const bytes = [[0xe4, 0xbd], [0xa0], [0xe5, 0xa5, 0xbd]].map((part) => new TextDecoder().decode(Uint8Array.from(part)));
    const words = bytes.map((word, at) => ({ word, start: at, end: at + 0.5 }));
    const expected = [
      ["你", 0, 1.5],
      ["好", 2, 2.5],
    ];
    expect((await recognized({ text: "你好", words })).words).toEqual(expected);
    const nested = await recognized({ text: "你好", segments: [{ start: 0, end: 3, text: "你好", words }] });
    expect(nested.words).toEqual(expected);
    expect(nested.segments.map(({ text }) => text)).toEqual(["你好"]);
  });

  it("sorts segments that are out of order, duplicated or reversed", async () => {
    const once = { start: 10.8, end: 20, text: "the second sentence" };
    const { segments } = await recognized({
      segments: [{ start: 19.6, end: 11.5, text: "the third" }, once, once, { start: 5, end: 6, text: "the first" }],
    });
    expect(segments.map(({ start, text }) => [start, text])).toEqual([
      [5, "the first"],
      [10.8, "the second sentence"],
      [19.6, "the third"],
    ]);
    for (const { start, end } of segments) expect(end).toBeGreaterThan(start);
  });

  it.each([
    [500, "Internal error: response_format verbose_json"],
    [422, [{ loc: ["body", "response_format"], msg: "Input should be 'json'" }]],
  ])("asks again with JSON when the format is refused with %i, and remembers that", async (status, detail) => {
    const { engine, api } = await serving(async (asked) =>
      (await asked.form()).get("response_format") === "json" ? { body: { text: "hello there" } } : { status, body: { detail } },
    );
    for (const _ of [1, 2]) {
      const [segment] = await engine.transcribe(speech, { language: "en" });
      expect(segment?.words.map(({ text }) => text)).toEqual(["hello", "there"]);
    }
    const forms = await Promise.all(api.asked.map((asked) => asked.form()));
    expect(forms.map((form) => form.get("response_format"))).toEqual(["verbose_json", "json", "json"]);
    expect(forms.at(-1)?.has("timestamp_granularities[]")).toBe(false);
  });

  it("stops asking for word times, prompts or a language that the server refuses", async () => {
    const { engine, api } = await serving(async (asked) => {
      const form = await asked.form();
      const refused = ["timestamp_granularities[]", "prompt"].find((name) => form.has(name));
      if (refused !== undefined) return { status: 400, body: { error: `unknown field ${refused}` } };
      if (form.get("language") === "fi") return { status: 400, body: "language fi is not supported" };
      return { body: verbose };
    });
    for (const language of ["fi-FI", "en", "fi-FI"] as const) await engine.transcribe(speech, { language, vocabulary: ["Ada"] });
    expect(api.asked).toHaveLength(6);
    const form = await api.asked[4]?.form();
    expect([form?.get("response_format"), form?.get("language"), form?.has("prompt")]).toEqual(["verbose_json", "en", false]);
  });

  it("remembers no fallback before a request succeeds", async () => {
    const { engine, api } = await serving((_, count) =>
      count <= 3 ? { status: 500, body: { error: "verbose_json: out of memory" } } : { body: verbose },
    );
    await expect(engine.transcribe(speech, { language: "en" })).rejects.toMatchObject({ code: "engineFailed" });
    await engine.transcribe(speech, { language: "en" });
    expect((await api.asked.at(-1)?.form())?.get("response_format")).toBe("verbose_json");
  });
});

describe("failures of OpenAI's API", () => {
  it.each([
    [
      "a wrong key",
      { status: 401, body: { error: { message: `Incorrect API key provided: ${key}` } } },
      /401.*Incorrect.*\*\*\*/,
    ],
    ["a server error", { status: 500, body: "<html>oops</html>" }, /500/],
    [
      "something that is no JSON",
      { body: "<html>hello</html>" },
      /answered with HTML, which is not a transcription\. Check SPEECH_API_URL and SPEECH_API_MODEL\.$/,
    ],
    [
      "JSON of something else",
      { body: { transcript: "hello" } },
      /127\.0\.0\.1:\d+ answered with \{transcript: text\}, which is not a transcription/,
    ],
    [
      "an error that calls itself a success",
      { body: { error: { message: `${key} is gone` } } },
      /answered with an error: \*\*\* is gone/,
    ],
  ])("reports %s with its reason and hides the key", async (_, answer, message) => {
    const { engine, api } = await serving(() => answer);
    const error = await engine.transcribe(speech, { language: "en" }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "SpeechError", code: "engineFailed", message: expect.stringMatching(message) });
    expect(JSON.stringify(error) + String(error)).not.toContain(key);
    expect(api.asked).toHaveLength(1);
  });

  it("reports engineUnavailable when no server listens", async () => {
    const engine = openOpenAi({ apiUrl: await deadUrl() });
    await expect(engine.transcribe(speech, { language: "en" })).rejects.toMatchObject({ code: "engineUnavailable" });
  });

  it("reports engineTimeout when no answer comes in time", async () => {
    const { engine } = await serving(() => new Promise(() => undefined), { apiTimeoutMs: 50 });
    await expect(engine.transcribe(speech, { language: "en" })).rejects.toMatchObject({ code: "engineTimeout" });
  });

  it.each([429, 503])("retries after %i when the server says so", async (status) => {
    const { engine, api } = await serving((_, count) =>
      count < 3 ? { status, headers: { "retry-after": "0" }, body: { error: "busy" } } : { body: verbose },
    );
    expect(await engine.transcribe(speech, { language: "en" })).toHaveLength(1);
    expect(api.asked).toHaveLength(3);
  });

  it("gives up when a server stays busy or demands too long a wait", async () => {
    const busy = await serving(() => ({ status: 429, headers: { "retry-after": "0" }, body: {} }));
    await expect(busy.engine.transcribe(speech, { language: "en" })).rejects.toMatchObject({ code: "engineFailed" });
    expect(busy.api.asked).toHaveLength(4);
    const later = await serving(() => ({ status: 429, headers: { "retry-after": "3600" }, body: {} }));
    await expect(later.engine.transcribe(speech, { language: "en" })).rejects.toThrow(/429/);
    expect(later.api.asked).toHaveLength(1);
  });

  it("stops when it is aborted, even between two attempts", async () => {
    const stopping = new AbortController();
    const { engine } = await serving(() => {
      setImmediate(() => stopping.abort(new Error("cancelled")));
      return { status: 503, headers: { "retry-after": "20" }, body: {} };
    });
    const asked = engine.transcribe(speech, { language: "en", signal: stopping.signal });
    await expect(asked).rejects.toThrow(/cancelled|aborted/);
  });
});

describe("dictation with OpenAI's API", () => {
  it("transcribes each utterance between pauses", async () => {
    const { engine } = await serving((_, count) => ({ body: { text: `Utterance ${count}.` } }));
    const events: StreamEvent[] = [];
    const errors: Error[] = [];
    const stream = await engine.openStream({
      person: "ann",
      language: "en",
      onEvent: (event) => events.push(event),
      onError: (error) => errors.push(error),
    });
    const pcm = Buffer.concat([silence(1), voice(2.5, -20), silence(1), voice(1.5, -20), silence(1)]);
    for (const chunk of chunked(pcm, [3200])) await stream.write(chunk);
    await stream.end();
    expect(errors).toEqual([]);
    expect(events.map((event) => (event.type === "final" ? event.segment.text : "interim"))).toEqual([
      "Utterance 1.",
      "Utterance 2.",
    ]);
  });
});

describe("the OpenAI engine", () => {
  it("lists all languages and names its model and host", async () => {
    const engine = openOpenAi({ apiUrl: "https://api.example.com/v1", apiModel: "whisper-1" });
    expect(engine).toMatchObject({ offline: false, languages: speechLanguages, name: "whisper-1 (api.example.com)" });
    expect(openOpenAi({ apiUrl: "http://localhost:8000/v1" }).offline).toBe(true);
  });
});

describe("vocabulary and speakers", () => {
  it("sends the expected words as a prompt when the model accepts one", async () => {
    const { engine, api } = await serving(() => ({ body: verbose }));
    await engine.transcribe(speech, { language: "en", vocabulary: ["Ada Lovelace", "Parlance"] });
    expect((await api.asked[0]?.form())?.get("prompt")).toBe("Ada Lovelace, Parlance");
    expect([engine.vocabulary, engine.speakers]).toEqual([true, false]);
  });

  it("requests diarized JSON with known voices from a model that tells speakers apart", async () => {
    const diarized = {
      task: "transcribe",
      duration: 3.6,
      text: "Hello. Hi there.",
      segments: [
        { type: "transcript.text.segment", id: "seg_0", start: 0.3, end: 1.2, text: " Hello.", speaker: "A" },
        { type: "transcript.text.segment", id: "seg_1", start: 1.4, end: 2.5, text: " Hi there.", speaker: "1" },
      ],
    };
    const { engine, api } = await serving(() => ({ body: diarized }), { apiModel: "gpt-4o-transcribe-diarize" });
    expect([engine.vocabulary, engine.speakers]).toEqual([false, true]);
    const known = [{ name: "1", pcm: voice(3, -20) }];
    const segments = await engine.transcribe(speech, { language: "en", speakers: known, vocabulary: ["not taken"] });
    expect(segments.map(({ speaker, text }) => [speaker, text])).toEqual([
      ["A", "Hello."],
      ["1", "Hi there."],
    ]);
    const form = await api.asked[0]?.form();
    expect([form?.get("response_format"), form?.get("chunking_strategy")]).toEqual(["diarized_json", "auto"]);
    expect([form?.has("prompt"), form?.has("timestamp_granularities[]")]).toEqual([false, false]);
    expect(form?.getAll("known_speaker_names[]")).toEqual(["1"]);
    const [sample] = form?.getAll("known_speaker_references[]") ?? [];
    expect(String(sample)).toMatch(/^data:audio\/wav;base64,UklGR/);
  });
});
