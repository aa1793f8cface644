import * as v from "valibot";

/**
 * All error codes of Parlance: stable names. The page shows a sentence in the interface language (`errors.<code>` in
 * the locale files); the English `message` beside it is for callers without locales.
 */
export const errorCodes = [
  "badRequest",
  "unauthorized",
  "adminRequired",
  "badCredentials",
  "accountBlocked",
  "secondFactorRequired",
  "secondFactorNeeded",
  "wrongCode",
  "codesUnreadable",
  "passkeyExpired",
  "passkeyUnknown",
  "passkeyRefused",
  "passkeyCopied",
  "emailTaken",
  "sessionReused",
  "providerOff",
  "providerFailed",
  "accountExists",
  "freshSignInRequired",
  "linkRequired",
  "providerTaken",
  "providerEmail",
  "providerNotFresh",
  "forbidden",
  "notFound",
  "notOffered",
  "tooLarge",
  "tooLong",
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
  "diarizationFailed",
  "recognitionFailed",
  "correctedMeanwhile",
  "storageFull",
  "storageUnavailable",
  "interrupted",
  "crashed",
  "cancelledByOperator",
  "gone",
  "tooManyRequests",
  "tooManyAtOnce",
  "quotaReached",
  "ownerQuotaReached",
  "limitReached",
  "subscriptionRequired",
  "urlRefused",
  "urlUnreachable",
  "urlTimeout",
  "conflict",
  "editedAtOnce",
  "wrongPassword",
  "lastSuperuser",
  "passwordCommon",
  "passwordPersonal",
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

/**
 * The body of every response outside 200-299 (SPEC.md section 3: "Error responses carry a message field"). An unknown
 * code is dropped, and the message is shown unchanged.
 */
export const ErrorBody = v.object({ message: v.string(), code: v.fallback(v.optional(ErrorCode), undefined) });
export type ErrorBody = v.InferOutput<typeof ErrorBody>;
