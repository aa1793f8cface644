import * as v from "valibot";
import { onTestFinished } from "vitest";
import { InsightEvent, type InsightRequest, InsightsAnswer, type Segment } from "#contract/index.ts";
import { type ChatAsked, type ChatServer, type Reply, startChatServer } from "#tests/fixtures/chat-server.ts";
import { base, type Person, read, signUp, startTestServer } from "#tests/server/harness.ts";
import { save } from "#tests/server/transcription/saved.ts";

/** The segment number `index` of a talk; three seconds long. */
export const said = (index: number, text: string, speaker?: string): Segment => ({
  start: index * 4,
  end: index * 4 + 3,
  text,
  words: [],
  ...(speaker !== undefined && { speaker }),
});

/** A short meeting of five lines; the fourth is silent. */
export const meeting: Segment[] = [
  said(0, "Shall we begin with the budget?", "Anna"),
  said(1, "It is twelve percent lower than last year.", "1"),
  said(2, "Then we print the catalogue in March.", "Anna"),
  said(3, ""),
  said(4, "I send the contract to the printer by Friday.", "1"),
];

export const pathOf = (id: string) => `${base}/transcription/${id}/insights`;

/** Starts a server with a language model that answers with `replyTo`, and a person with a transcript. */
export async function withModel(
  replyTo: (asked: ChatAsked, count: number) => Reply,
  { segments = meeting, env = {} }: { segments?: Segment[]; env?: Record<string, string> } = {},
) {
  const chat: ChatServer = await startChatServer(replyTo);
  onTestFinished(() => chat.close());
  const log: string[] = [];
  const server = await startTestServer({ env: { ...chat.env, ...env }, writeLog: (line) => log.push(line) });
  const person = await signUp(server);
  const { id } = await save(person, { segments, title: "The budget" });
  return { chat, server, log, person, id };
}

/** The events of the answer in their order. */
async function eventsOf(answer: Response): Promise<InsightEvent[]> {
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  return eventsIn(await answer.text());
}

export function eventsIn(text: string): InsightEvent[] {
  const blocks = text.split("\n\n").filter((block) => block.startsWith("event: "));
  return blocks.map((block) => v.parse(v.pipe(v.string(), v.parseJson(), InsightEvent), /^data: (.*)$/m.exec(block)?.[1]));
}

export async function make(person: Person, id: string, request: v.InferInput<typeof InsightRequest>): Promise<InsightEvent[]> {
  return eventsOf(await person.call("POST", pathOf(id), request));
}

/**
 * The insight of the last event.
 * @throws Error when the last event is no insight
 */
export function outcomeOf(events: readonly InsightEvent[]) {
  const last = events.at(-1);
  if (last !== undefined && "insight" in last) return last.insight;
  throw new Error(`no insight: ${JSON.stringify(last)}`);
}

export function failureOf(events: readonly InsightEvent[]): { code: string; message: string } {
  const last = events.at(-1);
  if (last !== undefined && "error" in last) return last.error;
  throw new Error(`no failure: ${JSON.stringify(last)}`);
}

export const stored = async (person: Person, id: string) => read(await person.call("GET", pathOf(id)), 200, InsightsAnswer);
