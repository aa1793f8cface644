import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { GenerationProgress, GeneratorForm, GeneratorMode } from "#contract/index.ts";
import { createBlogGenerationApi } from "#src/api/blog-admin.ts";
import { ApiError, createCall, type Send } from "#src/api/http.ts";

const form: GeneratorForm = { topic: "notes", tone: "friendly", language: "de", length: "short", audience: "nurses" };
const head = { title: "Notes", summary: "", topics: ["notes"] };
const post = { ...head, content: "Words.", language: "de" };
const event = (data: object) => `event: ${Object.keys(data)[0]}\ndata: ${JSON.stringify(data)}\n\n`;

/** What is shown for this answer, and how the call ends. */
async function generating(answer: Response, mode: GeneratorMode = "topic") {
  const asked: { path: string; body: unknown; accept: string | null }[] = [];
  const send: Send = async (path, init) => {
    asked.push({ path, body: JSON.parse(String(init?.body)), accept: new Headers(init?.headers).get("accept") });
    return answer;
  };
  const emitted: GenerationProgress[] = [];
  const failure = await createBlogGenerationApi(createCall(send), send)
    .generate(mode, form, new AbortController().signal, (event) => emitted.push(event))
    .then(() => undefined)
    .catch((error: unknown) => error);
  return { asked, emitted, failure };
}

const streaming = (text: string) => new Response(text, { headers: { "Content-Type": "text/event-stream; charset=utf-8" } });

describe("generator's call and stream", () => {
  test("sends the form, and reads the stream in order up to its end", async () => {
    const events = [{ step: "writing" }, { head }, { text: "Wor" }, { text: "ds." }, { post }, { text: "more" }];
    const { asked, emitted, failure } = await generating(streaming(`:\n\n${events.map(event).join("")}`));
    expect(failure).toBeUndefined();
    expect(asked).toEqual([{ path: "/admin/blog/generate", body: form, accept: "text/event-stream, application/json" }]);
    expect(emitted).toEqual([
      { type: "step.came", step: "writing" },
      { type: "head.came", head },
      { type: "text.came", text: "Wor" },
      { type: "text.came", text: "ds." },
      { type: "post.came", post },
    ]);
  });

  test("sends the topic of a surprise as a hint", async () => {
    const { topic, ...style } = form;
    const { asked } = await generating(streaming(event({ post })), "surprise");
    expect(asked).toMatchObject([{ path: "/admin/blog/generate-unique", body: { ...style, hint: topic } }]);
  });

  test("accepts a whole post from a server that does not stream", async () => {
    const { emitted } = await generating(Response.json({ title: "Notes", content: "Words." }));
    expect(emitted).toEqual([
      { type: "post.came", post: { title: "Notes", summary: "", topics: [], content: "Words.", language: "en" } },
    ]);
  });

  test("the generator reports a failure with a known code", async () => {
    const error = (code: string) => streaming(event({ error: { code, message: "Language model: no" } }));
    const failed = (code: string) => [{ type: "generation.failed", failure: { code, detail: "Language model: no" } }];
    expect((await generating(error("chatFailed"))).emitted).toEqual(failed("chatFailed"));
    expect((await generating(error("brandNew"))).emitted).toEqual(failed("internal"));
  });

  test.each([
    ["breaks off", () => streaming(`${event({ text: "Wor" })}data: {"text":`), "network"],
    ["is empty", () => streaming(""), "network"],
    ["is no post", () => Response.json({ title: "Notes" }), "internal"],
    ["is a proxy's page", () => new Response("<html>"), "internal"],
  ])("treats a stream that %s as a failure", async (_, answer, code) => {
    const { failure } = await generating(answer());
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ code });
  });
});

// SPEC 8: "Similar failed-to-do-X messages for the other blog calls."
test("names failures to generate or save like the blog's others (SPEC.md section 8)", () => {
  const file = join(import.meta.dirname, "../../../public/locales/en/blog-admin-generator.json");
  const { failed } = v.parse(v.object({ failed: v.record(v.string(), v.string()) }), JSON.parse(readFileSync(file, "utf8")));
  expect(failed).toMatchObject({
    generate: "Failed to generate blog post",
    unique: "Failed to generate unique blog post",
    save: "Failed to create blog post",
    stats: "Failed to fetch diversity stats",
  });
});
