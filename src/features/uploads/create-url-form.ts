import * as v from "valibot";
import { type Transcription, UrlTranscription } from "#contract/index.ts";
import type { Values } from "#machines/submission.ts";
import { checkFields, createForm } from "#src/features/account/forms.ts";

const Draft = v.object({
  url: v.string(),
  title: v.string(),
  vocabulary: v.string(),
  speakers: v.boolean(),
  /** What was sent last, and under which id: when its answer was lost, sending the same again is no second transcription. */
  sent: v.optional(v.object({ content: v.string(), clientId: v.string() })),
});
/** What somebody has filled in on the page for addresses, beside the languages. */
export type UrlDraft = v.InferOutput<typeof Draft>;

export const emptyDraft: UrlDraft = { url: "", title: "", vocabulary: "", speakers: false };

/** A draft as the browser keeps it; an empty one when it can't be read. */
export function parseDraft(text: string | null): UrlDraft {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Draft), text);
  return parsed.success ? parsed.output : emptyDraft;
}

export interface UrlFormWorld {
  draft: { get(): UrlDraft; set(draft: UrlDraft): void };
  transcribe(wanted: UrlTranscription, signal: AbortSignal): Promise<Pick<Transcription, "id">>;
  newId(): string;
  /** The server has begun. */
  onBegun(transcriptionId: string): void;
}

export type UrlForm = ReturnType<typeof createUrlForm>;

/** The form of the page for addresses, started. The caller stops it. */
export function createUrlForm({ draft, transcribe, newId, onBegun }: UrlFormWorld) {
  const failed = { key: "errors.internal", keyWithStatus: "errors.internal" };
  const form = createForm({ url: draft.get().url }, checkUrlField, failed, async (values, signal) => {
    const content = JSON.stringify(Object.entries(values).toSorted());
    const before = draft.get();
    const clientId = before.sent?.content === content ? before.sent.clientId : newId();
    draft.set({ ...before, sent: { content, clientId } });
    const wanted = v.safeParse(UrlTranscription, { ...filledIn(values), url: withScheme(values.url), clientId });
    if (!wanted.success) return { kind: "refused", message: { key: "errors.badRequest" } };
    const { id } = await transcribe(wanted.output, signal);
    const { vocabulary, speakers } = draft.get();
    draft.set({ ...emptyDraft, vocabulary, speakers });
    onBegun(id);
    return { kind: "done" };
  });
  form.subscribe(({ context }) => {
    const { url = "" } = context.values;
    if (url !== draft.get().url && form.getSnapshot().status === "active") draft.set({ ...draft.get(), url });
  });
  return form;
}

/** Without what was left empty. */
function filledIn(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ""));
}

/** People leave out what browsers leave out: "example.org/talk.mp3" is meant as https. */
function withScheme(text = ""): string {
  const url = text.trim();
  return /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url) || url === "" ? url : `https://${url.replace(/^\/+/, "")}`;
}

/** What is wrong with an address, as far as the page can see: the server looks at where it leads. */
export function checkUrlField({ url: text = "" }: Values): Values {
  return checkFields({ url: problemOf(withScheme(text)) });
}

function problemOf(text: string): string | undefined {
  if (text === "") return "uploads:url.required";
  if (text.length > 4096) return "uploads:url.tooLong";
  if (!URL.canParse(text)) return "uploads:url.invalid";
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return "uploads:url.scheme";
  if (url.username !== "" || url.password !== "") return "uploads:url.password";
  // "talk" alone is no server on the public network.
  return url.hostname.includes(".") || url.port !== "" || url.hostname.startsWith("[") ? undefined : "uploads:url.invalid";
}
