import { describe, expect, test } from "vitest";
import { Transcription, Usage } from "#contract/index.ts";
import { base, read, refusal, signUp, startTestServer } from "#tests/server/harness.ts";
import { change, history } from "#tests/server/transcription/saved.ts";

const title = "Sample: John F. Kennedy, 1961";

describe("POST /sample", () => {
  test("creates a sample with sound, timed words and translation that behaves like any transcription", async () => {
    const person = await signUp(await startTestServer());
    const sample = await read(await person.call("POST", `${base}/sample`, { title }), 200, Transcription);
    expect(sample).toMatchObject({ title, origin: "sample", status: "completed", hasAudio: true, targetLanguage: "es" });
    expect(sample.segments).toHaveLength(4);
    for (const { words, translation } of sample.segments)
      expect([words.length > 0, translation]).toEqual([true, expect.any(String)]);
    const audio = await person.call("GET", `${base}/transcription/${sample.id}/audio`);
    expect([audio.status, (await audio.arrayBuffer()).byteLength]).toEqual([200, 66_764]);

    expect(await change(person, sample.id, { title: "Mine" })).toMatchObject({ title: "Mine", origin: "sample" });
    const text = await person.call("GET", `${base}/transcription/${sample.id}/export?format=txt&content=original&lng=en`);
    expect(await text.text()).toContain("And so my fellow Americans");
    expect((await person.call("DELETE", `/audio/remove-transcription/${sample.id}`)).status).toBe(200);
    expect((await history(person)).data).toEqual([]);
  });

  test("creates one sample without using minutes, and a new one after its deletion", async () => {
    const person = await signUp(await startTestServer());
    const open = () => person.call("POST", `${base}/sample`, { title });
    const [one, two] = await Promise.all([open(), open()]);
    const { id } = await read(one, 200, Transcription);
    expect((await read(two, 200, Transcription)).id).toBe(id);
    expect((await read(await open(), 200, Transcription)).id).toBe(id);
    expect((await read(await person.call("GET", "/api/v1/usage"), 200, Usage)).usedTranslationMinutes).toBe(0);
    await person.call("DELETE", `/audio/remove-transcription/${id}`);
    expect((await read(await open(), 200, Transcription)).id).not.toBe(id);
    expect((await history(person)).data).toHaveLength(1);
  });

  test("requires a sign-in and a title for a sample", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    expect(await refusal(await person.call("POST", `${base}/sample`, { title: " " }))).toBe("400 badRequest");
    const { status } = await fetch(`${server.apiUrl}${base}/sample`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ title }),
    });
    expect(status).toBe(401);
  });
});
