import { describe, expect, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { getTranscription, type Person, read, signUp, startTestServer } from "#tests/server/harness.ts";
import { segment } from "#tests/server/jobs/scripted.ts";
import { share, visit } from "#tests/server/sharing/links.ts";
import { save } from "#tests/server/transcription/saved.ts";
import { shareWith } from "./shared.ts";

const base = "the harbour is old and wide";

async function start() {
  const server = await startTestServer();
  const [owner, anna] = [await signUp(server), await signUp(server)];
  const { id } = await save(owner, { segments: [segment(base, 0, 3), segment("good morning", 3, 4)] });
  await shareWith(owner, anna, id, "correct");
  const put = async (person: Person, update: object) =>
    read(await person.call("PUT", `/audio/remove-transcription/${id}`, update), 200, Transcription);
  const edit = (person: Person, text: string) => put(person, { edits: [{ index: 0, text, base }] });
  return { server, owner, anna, id, put, edit };
}

describe("passage that two people correct at once", () => {
  test("merges the changes of two people to different words of a passage", async () => {
    const { owner, anna, id, edit } = await start();
    await edit(owner, "The harbour is old and wide");
    await edit(anna, "the harbour is old and very wide.");
    const { segments, text } = await getTranscription(owner, id);
    expect(segments[0]).toMatchObject({ text: "The harbour is old and very wide." });
    expect([segments[0]?.others, text]).toEqual([undefined, "The harbour is old and very wide. good morning"]);
  });

  // PROMISE sharing: Corrections of two people at once are merged, and no word is lost
  test("keeps both versions when two people edit the same words, and hides the second from links", async () => {
    const { server, owner, anna, id, edit, put } = await start();
    await edit(owner, "the harbour is ancient and wide");
    await edit(anna, "the harbour is aged and wide");
    // Repeats the call, as if its answer had been lost.
    await edit(anna, "the harbour is aged and wide");
    for (const person of [owner, anna]) {
      const [first] = (await getTranscription(person, id)).segments;
      expect(first).toMatchObject({
        text: "the harbour is ancient and wide",
        others: [{ text: "the harbour is aged and wide", by: anna.email }],
      });
    }
    expect((await visit(server, await share(owner, id)).shown()).segments[0]).not.toHaveProperty("others");
    const other = (await getTranscription(owner, id)).segments[0]?.others?.[0];
    if (other === undefined) throw new Error("It is gone.");
    const chosen = await put(owner, { others: [{ index: 0, other, present: false }] });
    expect(chosen.segments[0]?.others).toBeUndefined();
    const undone = await put(owner, { others: [{ index: 0, other, present: true }] });
    expect(undone.segments[0]?.others).toEqual([other]);
  });

  test("splits a passage when the other's correction fits, and else keeps it whole with both versions", async () => {
    const { owner, anna, id, edit, put } = await start();
    await edit(owner, "The harbour is old and wide");
    const passages = ["the harbour is", "old and wide!"].map((text) => ({ text, speaker: null }));
    const split = { regroups: [{ index: 0, count: 1, passages, bases: [base] }] };
    const { segments } = await put(anna, split);
    expect(segments.map(({ text }) => text)).toEqual(["The harbour is", "old and wide!", "good morning"]);
    const again = [
      { text: "good", speaker: null },
      { text: "evening", speaker: null },
    ];
    await put(owner, { edits: [{ index: 2, text: "good afternoon", base: "good morning" }] });
    await put(anna, { regroups: [{ index: 2, count: 1, passages: again, bases: ["good morning"] }] });
    expect((await getTranscription(owner, id)).segments[2]).toMatchObject({
      text: "good afternoon",
      others: [{ text: "good evening", by: anna.email }],
    });
    // The other versions move along with a merge, and come back with a split.
    const joined = [{ text: "old and wide! good afternoon", speaker: null }];
    const whole = await put(owner, { regroups: [{ index: 1, count: 2, passages: joined }] });
    expect(whole.segments[1]?.others).toMatchObject([{ text: "good evening" }]);
  });

  test("a text without times contains both people's words one after the other", async () => {
    const { owner, anna } = await start();
    const { id } = await save(owner, { text: "one two three" });
    await shareWith(owner, anna, id, "correct");
    const text = (person: Person, now: string) =>
      person.call("PUT", `/audio/remove-transcription/${id}`, { text: now, textBase: "one two three" });
    await text(owner, "one deux three");
    await text(anna, "one zwei three four");
    expect((await getTranscription(owner, id)).text).toBe("one deux zwei three four");
  });

  test("the last save wins when neither names the version it changed", async () => {
    const { owner, anna, id, put } = await start();
    await put(owner, { edits: [{ index: 0, text: "one" }] });
    await put(anna, { edits: [{ index: 0, text: "two" }] });
    expect((await getTranscription(owner, id)).segments[0]).toMatchObject({ text: "two" });
  });
});
