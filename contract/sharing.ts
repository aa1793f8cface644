import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { Password } from "./account.ts";
import { Moment, Segment, Word } from "./transcription.ts";

/** Links of one transcription, ended ones not counted. */
export const maxSharedLinks = 20;
/** So long a link that has ended is still listed (days). */
export const endedLinkDays = 30;

/** The name that a link's page shows; "" shows none. */
const SharedName = v.pipe(v.string(), v.trim(), v.maxLength(80));
/** When a link ends, ISO 8601; null: when it is revoked. */
const End = v.nullable(Moment);
/** null: none is asked for. */
const Passphrase = v.nullable(Password);

/** POST /api/v1/audio-transcriptions/transcription/{id}/links */
export const NewSharedLink = v.object({
  name: v.optional(SharedName, ""),
  /** With the sound. */
  audio: v.optional(v.boolean(), false),
  /** With the translation. */
  translation: v.optional(v.boolean(), false),
  /** The text may be saved as a file. */
  download: v.optional(v.boolean(), false),
  expiresAt: v.optional(End, null),
  passphrase: v.optional(Passphrase, null),
});
export type NewSharedLink = v.InferInput<typeof NewSharedLink>;

/** PATCH of …/links/{link}: what is absent stays as it is. Another passphrase, or none, closes the pages that the former one has opened. */
export const SharedLinkChange = v.object({
  name: v.optional(SharedName),
  audio: v.optional(v.boolean()),
  translation: v.optional(v.boolean()),
  download: v.optional(v.boolean()),
  expiresAt: v.optional(End),
  passphrase: v.optional(Passphrase),
});
export type SharedLinkChange = v.InferInput<typeof SharedLinkChange>;

/** What every link is to its owner. Times are ISO 8601, UTC. */
export const linkFacts = {
  id: v.string(),
  /** With the sound. */
  audio: v.boolean(),
  /** Whether a passphrase is asked for. */
  locked: v.boolean(),
  createdAt: v.string(),
  expiresAt: v.nullable(v.string()),
  /** Its end has come, by the server's clock. */
  ended: v.boolean(),
  /** How often its page was opened. */
  views: v.number(),
};

/** A link as its owner sees it, without what opens it. */
export const SharedLink = v.object({
  ...linkFacts,
  name: v.fallback(v.string(), ""),
  translation: v.boolean(),
  download: v.boolean(),
  /** Its owner can ask for its secret again: links of earlier releases have none. */
  copyable: v.fallback(v.boolean(), false),
});
export type SharedLink = v.InferOutput<typeof SharedLink>;

/** GET of …/links: the newest first, ended ones for 30 more days. */
export const SharedLinksAnswer = v.object({ links: v.array(SharedLink) });
export type SharedLinksAnswer = v.InferOutput<typeof SharedLinksAnswer>;
/** The answer to a new one. */
export const CreatedSharedLink = v.object({ ...SharedLink.entries, secret: v.string() });
export type CreatedSharedLink = v.InferOutput<typeof CreatedSharedLink>;
/** GET of …/links/{link}/secret: for its owner, as often as they want to copy it. */
export const SharedLinkSecret = v.object({ secret: v.string() });
export type SharedLinkSecret = v.InferOutput<typeof SharedLinkSecret>;
/** As the page accepts them. */
export const AcceptedSharedLinks = v.object({ links: acceptedRows(SharedLink) });

/** The end of a link's address: 64 bits that find it, and 256 that open it. */
const address = /^#?([\da-f]{16})\.([\w-]{43})$/;

/** What opens a link, for the address's fragment: no server is sent it by a browser, and no referrer has it. */
export const sharedAddress = ({ id, secret }: { id: string; secret: string }): string => `${id}.${secret}`;

/** @param fragment of the page's address, with or without "#" @returns undefined for one that is no link's */
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

/** A segment without what only its owner sees: the text that the engine recognized, its confidence, and the alternatives. */
export const SharedSegment = v.object({
  ...v.omit(Segment, ["words", "heard", "turn", "others"]).entries,
  words: v.array(v.omit(Word, ["heard", "confidence"])),
});
export type SharedSegment = v.InferOutput<typeof SharedSegment>;

/** What a link shows. */
export const SharedTranscript = v.object({
  title: v.string(),
  /** Of the recording: ISO 8601, UTC. */
  date: v.string(),
  /** Who shares it, as they call themselves; "" when they don't. */
  sharedBy: v.fallback(v.string(), ""),
  /** "auto": not known. */
  sourceLanguage: v.string(),
  /** null also where the link is without translation. */
  targetLanguage: v.nullable(v.string()),
  durationSeconds: v.nullable(v.number()),
  /** GET /api/v1/shared/{link}/audio plays it. */
  hasAudio: v.fallback(v.boolean(), false),
  /** GET /api/v1/shared/{link}/export saves it. */
  download: v.fallback(v.boolean(), false),
  expiresAt: v.nullable(v.string()),
  /** Of a text without segments; "" otherwise. */
  text: v.fallback(v.string(), ""),
  translatedText: v.fallback(v.string(), ""),
  segments: v.array(SharedSegment),
});
export type SharedTranscript = v.InferOutput<typeof SharedTranscript>;

/** `locked`: its passphrase is asked for. The cookie that comes with a transcript opens its audio and export for some hours. */
export const SharedAnswer = v.variant("locked", [
  v.object({ locked: v.literal(true) }),
  v.object({ locked: v.literal(false), transcript: SharedTranscript }),
]);
export type SharedAnswer = v.InferOutput<typeof SharedAnswer>;

/** The files that a link may give. */
export const sharedFormats = ["txt", "srt", "vtt"] as const;
export const SharedFormat = v.picklist(sharedFormats);
export type SharedFormat = v.InferOutput<typeof SharedFormat>;
