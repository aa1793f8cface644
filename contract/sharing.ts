import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { Password } from "./account.ts";
import { Moment, Segment, Word } from "./transcription.ts";

/** Most links of one transcription, without ended ones. */
export const maxSharedLinks = 20;
/** How long an ended link is still listed (days). */
export const endedLinkDays = 30;

/** The name that a link's page shows; "" shows none. */
const SharedName = v.pipe(v.string(), v.trim(), v.maxLength(80));
/** When a link ends, ISO 8601; null: only when it is revoked. */
const End = v.nullable(Moment);
/** null without a passphrase. */
const Passphrase = v.nullable(Password);

/** POST /api/v1/audio-transcriptions/transcription/{id}/links */
export const NewSharedLink = v.object({
  name: v.optional(SharedName, ""),
  /** Whether it includes the audio. */
  audio: v.optional(v.boolean(), false),
  /** Whether it includes the translation. */
  translation: v.optional(v.boolean(), false),
  /** Whether the text can be downloaded as a file. */
  download: v.optional(v.boolean(), false),
  expiresAt: v.optional(End, null),
  passphrase: v.optional(Passphrase, null),
});
export type NewSharedLink = v.InferInput<typeof NewSharedLink>;

/**
 * PATCH of …/links/{link}: absent fields stay unchanged. Changing or removing the passphrase closes pages opened with
 * the former one.
 */
export const SharedLinkChange = v.object({
  name: v.optional(SharedName),
  audio: v.optional(v.boolean()),
  translation: v.optional(v.boolean()),
  download: v.optional(v.boolean()),
  expiresAt: v.optional(End),
  passphrase: v.optional(Passphrase),
});
export type SharedLinkChange = v.InferInput<typeof SharedLinkChange>;

/** The facts that a link of any kind shows its owner. Times are ISO 8601, UTC. */
export const linkFacts = {
  id: v.string(),
  /** Whether it includes the audio. */
  audio: v.boolean(),
  /** Whether it needs a passphrase. */
  locked: v.boolean(),
  createdAt: v.string(),
  expiresAt: v.nullable(v.string()),
  /** Whether it has ended, by the server's clock. */
  ended: v.boolean(),
  /** How often its page was opened. */
  views: v.number(),
};

/** A link as its owner sees it, without its secret. */
export const SharedLink = v.object({
  ...linkFacts,
  name: v.fallback(v.string(), ""),
  translation: v.boolean(),
  download: v.boolean(),
  /** Whether its owner can request its secret again; links of earlier releases don't store it. */
  copyable: v.fallback(v.boolean(), false),
});
export type SharedLink = v.InferOutput<typeof SharedLink>;

/** GET of …/links: the newest first, ended ones for 30 more days. */
export const SharedLinksAnswer = v.object({ links: v.array(SharedLink) });
export type SharedLinksAnswer = v.InferOutput<typeof SharedLinksAnswer>;
/** The response for a new link. */
export const CreatedSharedLink = v.object({ ...SharedLink.entries, secret: v.string() });
export type CreatedSharedLink = v.InferOutput<typeof CreatedSharedLink>;
/** GET of …/links/{link}/secret: lets the owner copy the link again. */
export const SharedLinkSecret = v.object({ secret: v.string() });
export type SharedLinkSecret = v.InferOutput<typeof SharedLinkSecret>;
/** The response as the page accepts it. */
export const AcceptedSharedLinks = v.object({ links: acceptedRows(SharedLink) });

/** The fragment of a link: a 64-bit id, and a 256-bit secret. */
const address = /^#?([\da-f]{16})\.([\w-]{43})$/;

/** The fragment that opens a link. Browsers send a fragment neither to servers nor in a referrer. */
export const sharedAddress = ({ id, secret }: { id: string; secret: string }): string => `${id}.${secret}`;

/** @param fragment of the page's URL, with or without "#" @returns undefined when it is not a link's */
export function readSharedAddress(fragment: string): { id: string; secret: string } | undefined {
  const [, id, secret] = address.exec(fragment) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** POST /api/v1/shared/{link}/open */
export const SharedOpening = v.object({
  secret: v.pipe(v.string(), v.maxLength(200)),
  /** As typed. */
  passphrase: v.optional(v.pipe(v.string(), v.maxLength(1000))),
});
export type SharedOpening = v.InferInput<typeof SharedOpening>;

/**
 * A segment without the data that only its owner sees: the originally recognized text, its confidence, and the
 * conflicts.
 */
export const SharedSegment = v.object({
  ...v.omit(Segment, ["words", "heard", "turn", "others"]).entries,
  words: v.array(v.omit(Word, ["heard", "confidence"])),
});
export type SharedSegment = v.InferOutput<typeof SharedSegment>;

/** The content of a link. */
export const SharedTranscript = v.object({
  title: v.string(),
  /** When it was recorded: ISO 8601, UTC. */
  date: v.string(),
  /** The name chosen by the sender; "" for none. */
  sharedBy: v.fallback(v.string(), ""),
  /** "auto" when unknown. */
  sourceLanguage: v.string(),
  /** null also when the link excludes the translation. */
  targetLanguage: v.nullable(v.string()),
  durationSeconds: v.nullable(v.number()),
  /** GET /api/v1/shared/{link}/audio plays it. */
  hasAudio: v.fallback(v.boolean(), false),
  /** Whether GET /api/v1/shared/{link}/export can download it. */
  download: v.fallback(v.boolean(), false),
  expiresAt: v.nullable(v.string()),
  /** Set only for a text without segments; "" otherwise. */
  text: v.fallback(v.string(), ""),
  translatedText: v.fallback(v.string(), ""),
  segments: v.array(SharedSegment),
});
export type SharedTranscript = v.InferOutput<typeof SharedTranscript>;

/** `locked`: a passphrase is needed. The cookie sent with a transcript opens its audio and export for some hours. */
export const SharedAnswer = v.variant("locked", [
  v.object({ locked: v.literal(true) }),
  v.object({ locked: v.literal(false), transcript: SharedTranscript }),
]);
export type SharedAnswer = v.InferOutput<typeof SharedAnswer>;

/** The formats that a link can export. */
export const sharedFormats = ["txt", "srt", "vtt"] as const;
export const SharedFormat = v.picklist(sharedFormats);
export type SharedFormat = v.InferOutput<typeof SharedFormat>;
