import * as v from "valibot";
import { SpeakerCount, type Transcription, UrlTranscription } from "#contract/index.ts";
import type { SubmissionResult, Values } from "#machines/submission.ts";
import { parsed } from "#src/browser/stored.ts";
import { checkFields, createForm, type Fallback, refused } from "#src/features/account/forms.ts";

const Draft = v.object({
  url: v.string(),
  title: v.string(),
  vocabulary: v.string(),
  speakers: v.boolean(),
  speakerCount: v.optional(SpeakerCount),
  /** The last request and its id. Sending it again after a lost answer creates no second transcription. */
  sent: v.optional(v.object({ content: v.string(), clientId: v.string() })),
});
/** The form's values, without the languages. */
export type UrlDraft = v.InferOutput<typeof Draft>;

export const emptyDraft: UrlDraft = { url: "", title: "", vocabulary: "", speakers: false };

/** Parses a persisted draft. Returns an empty one when it is malformed. */
export const parseDraft = (text: string | null): UrlDraft => parsed(Draft, text) ?? emptyDraft;

export interface UrlFormEnvironment {
  draft: { get(): UrlDraft; set(draft: UrlDraft): void };
  transcribe(wanted: UrlTranscription, signal: AbortSignal): Promise<Pick<Transcription, "id">>;
  newId(): string;
  /** The languages for a form without language fields. @throws ApiError */
  languages(): Promise<Values>;
  /** Called when the server has accepted the request. */
  onBegun(transcriptionId: string): void;
}

export type UrlForm = ReturnType<typeof createUrlForm>;

/** The message for a failure without a message from the server. */
export const internalFailure: Fallback = { key: "errors.internal", keyWithStatus: "errors.internal" };

/** Creates and starts the URL form. The caller stops it. */
export function createUrlForm({ draft, transcribe, newId, languages, onBegun }: UrlFormEnvironment) {
  const submit = async (values: Values, signal: AbortSignal): Promise<SubmissionResult> => {
    const content = JSON.stringify(Object.entries(values).toSorted());
    const before = draft.get();
    const clientId = before.sent?.content === content ? before.sent.clientId : newId();
    draft.set({ ...before, sent: { content, clientId } });
    const inLanguages = values.sourceLanguage === undefined ? { ...(await languages()), ...values } : values;
    const wanted = v.safeParse(UrlTranscription, { ...filledIn(inLanguages), url: withScheme(values.url), clientId });
    if (!wanted.success) return refused("errors.badRequest");
    const { id } = await transcribe(wanted.output, signal);
    const { vocabulary, speakers, speakerCount } = draft.get();
    draft.set({ ...emptyDraft, vocabulary, speakers, ...(speakerCount !== undefined && { speakerCount }) });
    onBegun(id);
    return { kind: "done" };
  };
  const form = createForm({ url: draft.get().url }, checkUrlField, submit, internalFailure);
  form.subscribe(({ context }) => {
    const { url = "" } = context.values;
    if (url !== draft.get().url && form.getSnapshot().status === "active") draft.set({ ...draft.get(), url });
  });
  return form;
}

/** Omits empty values. */
function filledIn(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ""));
}

/** Adds a missing scheme: "example.org/talk.mp3" becomes https. */
function withScheme(text = ""): string {
  const url = text.trim();
  return /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url) || url === "" ? url : `https://${url.replace(/^\/+/, "")}`;
}

/** Validates a URL as far as the client can. The server checks its target. */
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
  // "talk" alone is no public host name.
  return url.hostname.includes(".") || url.port !== "" || url.hostname.startsWith("[") ? undefined : "uploads:url.invalid";
}
