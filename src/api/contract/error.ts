import * as v from "valibot";

/**
 * Every reason that Parlance gives for not doing something, as a stable name. The page turns it into a sentence in the person's
 * language (`errors.<code>` in the locale files); `message` beside it is the English sentence for callers without locales.
 */
export const errorCodes = [
  "badRequest",
  "unauthorized",
  "adminRequired",
  "badCredentials",
  "emailTaken",
  "sessionReused",
  "providerOff",
  "providerFailed",
  "accountExists",
  "forbidden",
  "notFound",
  "tooLarge",
  "emptyFile",
  "notAudio",
  "noSound",
  "truncated",
  "noSpeech",
  "languageUnavailable",
  "translationUnavailable",
  "engineUnavailable",
  "engineTimeout",
  "engineFailed",
  "translationFailed",
  "storageFull",
  "interrupted",
  "gone",
  "tooManyRequests",
  "limitReached",
  "subscriptionRequired",
  "urlRefused",
  "urlUnreachable",
  "urlTimeout",
  "conflict",
  "wrongPassword",
  "emailUnconfirmed",
  "linkInvalid",
  "slugTaken",
  "notImage",
  "chatUnavailable",
  "chatFailed",
  "noNewTopic",
  "network",
  "internal",
] as const;

export const ErrorCode = v.picklist(errorCodes);
export type ErrorCode = v.InferOutput<typeof ErrorCode>;

/** The body of every answer outside 200-299 (SPEC.md section 3: "Error responses carry a message field"). */
export const ErrorBody = v.object({ message: v.string(), code: v.optional(v.fallback(ErrorCode, "internal")) });
export type ErrorBody = v.InferOutput<typeof ErrorBody>;
