import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { SearchAnswerEvent } from "#contract/index.ts";
import { type ChatAsked, type Reply, refusing, saying } from "#tests/fixtures/chat-server.ts";
import { base, type Person, refusal, signUp, startTestServer } from "#tests/server/harness.ts";
import { withModel } from "#tests/server/insights/talk.ts";
import { save } from "#tests/server/transcription/saved.ts";

const path = `${base}/search/answer`;

async function ask(person: Person, question: string, rest: object = {}): Promise<SearchAnswerEvent[]> {
  const answer = await person.call("POST", path, { question, ...rest });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  const blocks = (await answer.text()).split("\n\n").filter((block) => block.startsWith("event: "));
  return blocks.map((block) => v.parse(v.pipe(v.string(), v.parseJson(), SearchAnswerEvent), /^data: (.*)$/m.exec(block)?.[1]));
}

function answeredIn(events: readonly SearchAnswerEvent[]) {
  const last = events.at(-1);
  if (last !== undefined && "answered" in last) return last.answered;
  throw new Error(`no answer: ${JSON.stringify(last)}`);
}

/** A person with two transcripts that a model is asked about: a meeting and another one. */
async function withTwo(replyTo: (asked: ChatAsked, count: number) => Reply) {
  const harness = await withModel(replyTo);
  const other = await save(harness.person, { title: "The printer", text: "The catalogue is printed in Aarhus." });
  return { ...harness, other };
}

const linesOf = (asked: ChatAsked | undefined) =>
  (asked?.messages[1]?.content ?? "").split("\n").filter((line) => line.startsWith("["));

describe("question to all transcripts", () => {
  // PROMISE search: Each sentence of an answer to a question names its passages
  test("answers a question from the best passages and links each sentence to them", async () => {
    const { chat, person, id, other } = await withTwo(({ messages }) => {
      const numberOf = (text: string) =>
        /\[(\d+)\]/.exec(messages[1]?.content.split("\n").find((line) => line.includes(text)) ?? "")?.[1];
      return saying(`It is printed in March. [${numberOf("in March")}]\nIn **Aarhus**. [${numberOf("Aarhus")}]\n`);
    });
    const events = await ask(person, "When and where is the catalogue printed?", { answerIn: "da" });
    const { points, omitted, read } = answeredIn(events);
    expect(points.map(({ text, passages }) => [text, passages.map((passage) => [passage.id, passage.start])])).toEqual([
      ["It is printed in March.", [[id, 8]]],
      ["In Aarhus.", [[other.id, null]]],
    ]);
    expect(events.slice(0, 2)).toEqual(points.map((point) => ({ point })));
    const [asked] = chat.asked;
    expect([omitted, read]).toEqual([0, linesOf(asked).length]);
    expect(asked?.messages[0]?.content).toContain("Write in Danish");
    expect(linesOf(asked)).toContainEqual(
      expect.stringMatching(/^\[\d+\] "The budget", 2026-03-01, Anna: Then we print the catalogue in March\.$/),
    );
    expect(asked?.messages[1]?.content).toMatch(/The question: When and where is the catalogue printed\?$/);
  });

  test("leaves out sentences without a source, and asks no model when the search finds nothing", async () => {
    const { chat, person } = await withTwo((_, count) =>
      saying(count === 1 ? "Somebody was bribed with money.\nThey print it. [1]\nAt noon they sang. [99]" : "NONE"),
    );
    expect(answeredIn(await ask(person, "the catalogue?"))).toMatchObject({ points: [{ text: "They print it." }], omitted: 2 });
    expect(answeredIn(await ask(person, "the catalogue?")).points).toEqual([]);
    expect(answeredIn(await ask(person, "rhubarb?"))).toEqual({ points: [], omitted: 0, read: 0 });
    expect(chat.asked).toHaveLength(2);
  });

  // PROMISE search: Each sentence of an answer to a question names its passages
  test("shows the model only this person's passages, within its context and the requested dates", async () => {
    const { server, chat, person } = await withTwo(() => saying("NONE"));
    const other = await signUp(server);
    await save(other, { title: "Secret", text: "The catalogue is a secret." });
    await ask(person, "the catalogue");
    expect(chat.asked[0]?.messages.map(({ content }) => content).join()).not.toContain("ecret");
    expect(answeredIn(await ask(person, "the catalogue", { to: "2020-01-01T00:00:00Z" })).read).toBe(0);
    for (let at = 0; at < 40; at += 1)
      await save(person, { title: "Long", text: `catalogue ${at} ${"of many words ".repeat(40)}` });
    await ask(person, "catalogue");
    const shown = linesOf(chat.asked.at(-1));
    expect(shown.length).toBeGreaterThan(5);
    const bytes = Buffer.byteLength(
      chat.asked
        .at(-1)
        ?.messages.map(({ content }) => content)
        .join("") ?? "",
    );
    expect(bytes).toBeLessThan(8000 * 3);
  });

  test("stops the model when the person leaves, and reports its failure", async () => {
    const held = Promise.withResolvers<void>();
    const { chat, person } = await withTwo((_, count) =>
      count === 1 ? saying("It goes on. [1]\nAnd on. [1]\n", { holdAfter: 20, until: held.promise }) : refusing(400, "No."),
    );
    const stopping = new AbortController();
    const answer = await fetch(new URL(path, person.apiUrl), {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${person.token}` },
      body: JSON.stringify({ question: "catalogue" }),
      signal: stopping.signal,
    });
    await answer.body?.getReader().read();
    stopping.abort();
    expect(await chat.asked[0]?.left).toBe(true);
    held.resolve();
    expect((await ask(person, "catalogue")).at(-1)).toMatchObject({ error: { code: "chatFailed" } });
  });

  test("refuses empty and very long questions, and all questions without a model", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    expect(await refusal(await person.call("POST", path, { question: "why" }))).toBe("503 chatUnavailable");
    for (const body of [{}, { question: " " }, { question: "x".repeat(501) }, { question: "why", from: "yesterday" }]) {
      expect(await refusal(await person.call("POST", path, body))).toBe("400 badRequest");
    }
  });
});
