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

/** What is shown when the server answers so, and how it ends. */
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

describe("what the generator's page asks and receives", () => {
  test("is the form, and a stream in its order; nothing after its end", async () => {
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

  test("for a surprise, the topic is a hint", async () => {
    const { topic, ...style } = form;
    const { asked } = await generating(streaming(event({ post })), "surprise");
    expect(asked).toMatchObject([{ path: "/admin/blog/generate-unique", body: { ...style, hint: topic } }]);
  });

  test("may be a post as a whole, from a server that does not stream", async () => {
    const { emitted } = await generating(Response.json({ title: "Notes", content: "Words." }));
    expect(emitted).toEqual([
      { type: "post.came", post: { title: "Notes", summary: "", topics: [], content: "Words.", language: "en" } },
    ]);
  });

  test("may be a failure, whose code is one that the page knows", async () => {
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
  ])("that %s is a failure", async (_, answer, code) => {
    const { failure } = await generating(answer());
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ code });
  });
});

// SPEC 8: "Similar failed-to-do-X messages for the other blog calls."
test("SPEC.md section 8: posts that can't be generated or saved are named as the other failures of the blog", () => {
  const file = join(import.meta.dirname, "../../../public/locales/en/blog-admin-generator.json");
  const { failed } = v.parse(v.object({ failed: v.record(v.string(), v.string()) }), JSON.parse(readFileSync(file, "utf8")));
  expect(failed).toMatchObject({
    generate: "Failed to generate blog post",
    unique: "Failed to generate unique blog post",
    save: "Failed to create blog post",
    stats: "Failed to fetch diversity stats",
  });
});
