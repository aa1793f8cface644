const explained = [
  ...["noUrl", "badRequest", "notAudio", "tooLarge", "urlRefused", "urlUnreachable", "urlTimeout", "conflict"],
  ...["languageUnavailable", "translationUnavailable", "tooManyAtOnce", "tooManyRequests", "notFound", "network"],
];
/** The key of why a change failed. @param failure an error code, or `noUrl` */
export const failureKey = (failure: string): string => `failure.${explained.includes(failure) ? failure : "other"}`;

const errors = ["notAudio", "tooLarge", "urlRefused", "urlTimeout"];
/** The key of why a look has failed. @param error its code */
export const errorKey = (error: string): string => `error.${errors.includes(error) ? error : "urlUnreachable"}`;

const reasons = ["limitReached", "quotaReached", "storageFull", "languageUnavailable", "translationUnavailable"];
/** The key of what episodes wait for. @param reason its code; null: their turn */
export const waitingKey = (reason: string | null): string =>
  `waiting.${reason !== null && reasons.includes(reason) ? reason : "turn"}`;
