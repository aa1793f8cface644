import { describe, expect, test } from "vitest";
import { base, getTranscription, refusal, signUp, startTestServer } from "#tests/server/harness.ts";
import { scriptedTranslation, segment } from "#tests/server/jobs/scripted.ts";
import { change, type Draft, save, titles } from "./saved.ts";

describe("corrections", () => {
  const spoken = [segment("hello wold how are you", 1, 3), segment("this is fine", 4, 5.5)];

  test("keeps the times of words that a correction leaves unchanged", async () => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person, { segments: spoken });
    const after = await change(person, id, { edits: [{ index: 0, text: "Hello, world! How are you?" }] });
    expect(after.text).toBe("Hello, world! How are you? this is fine");
    expect(after.segments[0]?.words.map(({ text, start }) => [text, start])).toEqual([
      ["Hello,", 1],
      ["world!", 1.4],
      ["How", 1.8],
      ["are", 2.2],
      ["you?", 2.6],
    ]);
    expect(after.segments[1]).toEqual(spoken[1]);
    expect(await titles(person, "?search=world")).toHaveLength(1);
  });

  test("assigns a corrected whole text to the right segments", async () => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person, { segments: spoken });
    const after = await change(person, id, { text: "hello world how are you\n\nThis was really fine" });
    expect(after.text).toBe("hello world how are you\n\nThis was really fine");
    expect(after.segments.map(({ text }) => text)).toEqual(["hello world how are you", "This was really fine"]);
  });

  test("translates only changed segments again", async () => {
    const asked: string[] = [];
    const translation = scriptedTranslation(async (texts) => {
      asked.push(...texts);
      return texts.map((text) => text.toUpperCase());
    });
    const person = await signUp(await startTestServer({ translation }));
    const { id } = await save(person, { segments: spoken });
    expect((await change(person, id, { targetLanguage: "es" })).translatedText).toBe("HELLO WOLD HOW ARE YOU THIS IS FINE");
    const after = await change(person, id, { edits: [{ index: 1, text: "that is fine" }] });
    expect(after.translatedText).toBe("HELLO WOLD HOW ARE YOU THAT IS FINE");
    expect(asked).toEqual(["hello wold how are you", "this is fine", "that is fine"]);
    expect(await titles(person, "?search=that%20is")).toHaveLength(1);
    const without = await change(person, id, { targetLanguage: null });
    expect(without).toMatchObject({ translatedText: "", targetLanguage: null });
    expect(without.segments.every(({ translation: own }) => own === undefined)).toBe(true);
  });

  test("refuses a change with 409 editedAtOnce when others edit during every try", async () => {
    const lines: string[] = [];
    let changes = 0;
    const translation = scriptedTranslation(async (texts) => {
      changes += 1;
      await change(person, id, { title: `title ${changes}` });
      return [...texts];
    });
    const person = await signUp(await startTestServer({ translation, writeLog: (line) => lines.push(line) }));
    const { id } = await save(person, { segments: spoken });
    const answer = await person.call("PUT", `/audio/remove-transcription/${id}`, { targetLanguage: "es" });
    expect(await refusal(answer)).toBe("409 editedAtOnce");
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(changes).toBe(5);
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test("keeps a correction when its translation fails and translates the rest on retry", async () => {
    let down = false;
    const translation = scriptedTranslation(async (texts) => {
      if (down) throw new Error("down");
      return texts.map((text) => `es:${text}`);
    });
    const person = await signUp(await startTestServer({ translation }));
    const { id } = await save(person, { segments: spoken });
    await change(person, id, { targetLanguage: "es" });
    down = true;
    const after = await change(person, id, { edits: [{ index: 1, text: "that is fine" }] });
    expect(after).toMatchObject({ text: "hello wold how are you that is fine", translatedText: "es:hello wold how are you" });
    expect(after.error?.code).toBe("translationFailed");
    expect(await refusal(await person.call("PUT", `/audio/remove-transcription/${id}`, { targetLanguage: "fr" }))).toBe(
      "502 translationFailed",
    );
    expect((await getTranscription(person, id)).targetLanguage).toBe("es");
    down = false;
    const retried = await change(person, id, { retry: true });
    expect(retried).toMatchObject({ translatedText: "es:hello wold how are you es:that is fine", error: null });
  });

  test("finds the corrected words by their times after segments were split", async () => {
    const person = await signUp(await startTestServer());
    const words = [segment("how are", 0, 2), segment("you fine", 2, 4), segment("bye", 5, 6)];
    const { id } = await save(person, { segments: words });
    const seen = [
      { index: 0, span: [0, 4] as const },
      { index: 1, span: [5, 6] as const },
    ];
    const after = await change(person, id, { edits: [{ index: 1, text: "Bye!" }], spans: seen });
    expect(after.segments.map(({ text }) => text)).toEqual(["how are", "you fine", "Bye!"]);
    const named = await change(person, id, { speakers: [{ name: "Ada", segments: [0] }], spans: seen });
    expect(named.segments.map(({ speaker }) => speaker)).toEqual(["Ada", "Ada", undefined]);
    const whole = await change(person, id, { edits: [{ index: 0, text: "How are you? Fine." }], spans: seen });
    expect(whole.segments.map(({ text }) => text)).toEqual(["How are you? Fine.", "Bye!"]);
    expect(whole.segments[0]).toMatchObject({ start: 0, end: 4, speaker: "Ada" });
    expect(whole.segments[0]?.words.map(({ start }) => start)).toEqual([0, 1, 2, 3]);
    const gone = { edits: [{ index: 0, text: "x" }], spans: [{ index: 0, span: [40, 41] }] };
    expect(await refusal(await person.call("PUT", `/audio/remove-transcription/${id}`, gone))).toBe("409 conflict");
  });

  test.each([
    ["a segment that is not there", { edits: [{ index: 9, text: "x" }] }, "400 badRequest"],
    ["an empty title", { title: " " }, "400 badRequest"],
    ["a translation that is not set up", { targetLanguage: "de" }, "422 translationUnavailable"],
  ])("refuses a correction with %s", async (_, update, expected) => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person, { segments: spoken });
    expect(await refusal(await person.call("PUT", `/audio/remove-transcription/${id}`, update))).toBe(expected);
  });
});

describe("export", () => {
  const segments = [segment("fish & <chips>", 0, 1.2345), segment("an arrow --> here", 3661.5, 3662)];
  const exported = async (format: string, draft: Draft = {}) => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person, { title: "Tee: für / zwei", segments, ...draft });
    const answer = await person.call("GET", `${base}/transcription/${id}/export?format=${format}`);
    return {
      body: await answer.text(),
      type: answer.headers.get("Content-Type"),
      name: answer.headers.get("Content-Disposition"),
    };
  };

  test("exports SubRip with escaped arrows and times", async () => {
    const { body, type, name } = await exported("srt");
    expect(body).toBe("1\n00:00:00,000 --> 00:00:01,235\nfish & <chips>\n\n2\n01:01:01,500 --> 01:01:02,500\nan arrow → here\n");
    expect(type).toBe("application/x-subrip; charset=utf-8");
    expect(name).toBe(`attachment; filename="Tee f_r zwei.srt"; filename*=UTF-8''Tee%20f%C3%BCr%20zwei.srt`);
  });

  test("names the export of an untitled transcript by the requested name, first words or date", async () => {
    const nameless = { title: "", segments: [segment("um so the budget is short", 0, 1)] };
    expect((await exported("txt", nameless)).name).toContain('filename="2026-03-01 The budget is short.txt"');
    expect((await exported("txt", { title: "", segments: [] })).name).toContain('filename="2026-03-01 10.00.txt"');
    const asked = encodeURIComponent('Dictated, 1/3 2026, "10:00"\r\n');
    expect((await exported(`txt&name=${asked}`, nameless)).name).toContain('filename="Dictated, 1 3 2026, 10.00.txt"');
  });

  test("exports WebVTT with escaped text", async () => {
    const { body } = await exported("vtt");
    expect(body).toBe(
      "WEBVTT\n\n00:00:00.000 --> 00:00:01.235\nfish &amp; &lt;chips&gt;\n\n01:01:01.500 --> 01:01:02.500\nan arrow --&gt; here\n",
    );
  });

  test("exports text, JSON and subtitles with the translation", async () => {
    const translated = segments.map((own) => ({ ...own, translation: `es:${own.text}` }));
    expect((await exported("txt", { segments: translated })).body).toBe(
      "fish & <chips>\nan arrow --> here\n\nes:fish & <chips>\nes:an arrow --> here\n",
    );
    expect(JSON.parse((await exported("json", { segments: translated })).body)).toMatchObject({
      title: "Tee: für / zwei",
      segments: translated,
    });
    expect((await exported("srt", { segments: translated })).body).toContain("fish & <chips>\nes:fish & <chips>\n\n2\n");
  });

  test("splits long segments into cues of at most two lines, timed by their words", async () => {
    const long = segment(Array.from({ length: 40 }, (_, i) => `word${i}`).join(" "), 10, 30);
    const { body } = await exported("srt", { segments: [long] });
    const cues = body.trim().split("\n\n");
    expect(cues.length).toBeGreaterThan(2);
    expect(cues[0]).toContain("00:00:10,000 -->");
    expect(cues.at(-1)).toContain("--> 00:00:30,000");
    const lines = cues.map((cue) => cue.split("\n").slice(2));
    for (const own of lines) expect([own.length <= 2, own.join(" ").length <= 84]).toEqual([true, true]);
    expect(lines.flat().join(" ")).toBe(long.text);
  });

  test("refuses an unknown export format", async () => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person);
    expect(await refusal(await person.call("GET", `${base}/transcription/${id}/export?format=exe`))).toBe("400 badRequest");
  });
});
