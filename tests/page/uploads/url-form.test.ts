import { describe, expect, it, onTestFinished } from "vitest";
import type { UrlTranscription } from "#contract/index.ts";
import { ApiError } from "#src/api/http.ts";
import { checkUrlField, createUrlForm, emptyDraft, parseDraft, type UrlDraft } from "#src/features/uploads/url-form.ts";

const url = "https://example.org/talk.mp3";
let ids = 0;

/** A page with a stored draft and a server that gives one answer after another. */
function page(answers: (Error | "made")[], draft: Partial<UrlDraft> = {}) {
  let kept: UrlDraft = { ...emptyDraft, ...draft };
  const sent: UrlTranscription[] = [];
  const begun: string[] = [];
  const form = createUrlForm({
    draft: {
      get: () => kept,
      set: (next) => {
        kept = next;
      },
    },
    transcribe: async (wanted) => {
      sent.push(wanted);
      const answer = answers[sent.length - 1];
      if (answer instanceof Error) throw answer;
      return { id: `transcription of ${wanted.url}` };
    },
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    languages: async () => ({ sourceLanguage: "fr-FR", targetLanguage: "en" }),
    onBegun: (id) => begun.push(id),
  });
  onTestFinished(() => void form.stop());
  const submit = async (values: Record<string, string>) => {
    form.send({ type: "submit.requested", values: { sourceLanguage: "en", targetLanguage: "", ...values } });
    await expect.poll(() => form.getSnapshot().matches("submitting")).toBe(false);
    return form.getSnapshot();
  };
  return { form, submit, sent, begun, kept: () => kept };
}

const offline = () => new ApiError(0, "network");

describe("address of a recording", () => {
  it.each([
    [url, undefined],
    ["  http://example.org:8080/a?b=c  ", undefined],
    ["example.org/talk.mp3", undefined],
    ["localhost:8080/talk.mp3", undefined],
    ["https://[2606:4700::1]/a.mp3", undefined],
    ["", "required"],
    ["   ", "required"],
    ["talk", "invalid"],
    ["https://", "invalid"],
    ["two words", "invalid"],
    ["ftp://example.org/a.mp3", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["https://me:secret@example.org/", "password"],
    [`https://example.org/${"a".repeat(4100)}`, "tooLong"],
  ])("the address of a recording is checked, %j: %s", (text, problem) => {
    expect(checkUrlField({ url: text })).toEqual(problem === undefined ? {} : { url: `uploads:url.${problem}` });
  });
});

describe("form for web addresses", () => {
  it("sends what is filled in, continues, and clears one recording's fields", async () => {
    const draft = { url, title: "Talk", vocabulary: "Parlance", speakers: true, speakerCount: 2 };
    const { submit, sent, begun, kept } = page(["made"], draft);
    const options = { title: "Talk", vocabulary: "Parlance", speakers: "1", targetLanguage: "es" };
    await submit({ ...options, url: "example.org/talk.mp3", speakerCount: "2" });
    expect(sent).toEqual([{ ...options, speakerCount: 2, sourceLanguage: "en", url, clientId: expect.any(String) }]);
    expect(begun).toEqual([`transcription of ${url}`]);
    expect(kept()).toEqual({ url: "", title: "", vocabulary: "Parlance", speakers: true, speakerCount: 2 });
  });

  it("uses the last languages if it does not ask for them", async () => {
    const { form, sent, begun } = page(["made"]);
    form.send({ type: "submit.requested", values: { url } });
    await expect.poll(() => begun).toEqual([`transcription of ${url}`]);
    expect(sent).toEqual([{ url, sourceLanguage: "fr-FR", targetLanguage: "en", clientId: expect.any(String) }]);
  });

  it("the form for a link omits empty fields", async () => {
    const { submit, sent } = page(["made"]);
    await submit({ url, title: " ", vocabulary: "", speakers: "", speakerCount: "" });
    expect(Object.keys(sent[0] ?? {}).toSorted()).toEqual(["clientId", "sourceLanguage", "url"]);
  });

  it("the form for a link stores typed values unchanged", () => {
    const { form, kept } = page([], { title: "Talk" });
    form.send({ type: "field.changed", field: "url", value: "https://exam" });
    expect(kept()).toEqual({ ...emptyDraft, title: "Talk", url: "https://exam" });
    expect(parseDraft(JSON.stringify(kept()))).toEqual(kept());
    expect([parseDraft(null), parseDraft("{"), parseDraft('{"url":1}')]).toEqual([emptyDraft, emptyDraft, emptyDraft]);
  });

  it("the form for a link sends nothing while the address is invalid", async () => {
    const { submit, sent } = page([]);
    expect((await submit({ url: "ftp://example.org/" })).context.fieldErrors).toEqual({ url: "uploads:url.scheme" });
    expect(sent).toEqual([]);
  });

  it.each([
    [new ApiError(422, "urlRefused", undefined, { said: "code" }), "errors.urlRefused"],
    [new ApiError(402, "limitReached", undefined, { said: "code" }), "errors.limitReached"],
    [offline(), "errors.network"],
  ])("the form for a link shows why it failed and keeps its input", async (error, key) => {
    const { submit, kept, begun } = page([error], { url });
    const { context } = await submit({ url });
    expect(context.message).toEqual({ key });
    expect([kept().url, begun]).toEqual([url, []]);
  });

  it("repeats the same request under the same id, even after a reload", async () => {
    const first = page([offline(), offline()], { url });
    await first.submit({ url });
    await first.submit({ url });
    const later = page(["made"], first.kept());
    await later.submit({ url });
    const other = page(["made"], { ...first.kept() });
    await other.submit({ url: "https://example.org/other.mp3" });
    const same = [...first.sent, ...later.sent].map(({ clientId }) => clientId);
    expect(new Set(same).size).toBe(1);
    expect(same).not.toContain(other.sent[0]?.clientId);
    expect(other.kept().sent).toBeUndefined();
  });
});
