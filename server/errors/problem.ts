import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorCode } from "#contract/index.ts";

const kinds = {
  badRequest: [400, "The request is invalid."],
  unauthorized: [401, "Sign in first."],
  // SPEC.md section 6: verbatim.
  adminRequired: [401, "Unauthorized: Admin access required"],
  badCredentials: [401, "The e-mail address or the password is wrong."],
  accountBlocked: [403, "Your administrator has blocked this account. Nothing in it was deleted."],
  secondFactorRequired: [403, "The password is correct. Enter the code from your authenticator app as well."],
  secondFactorNeeded: [403, "Administrators of this server need two-step sign-in. Turn it on in the settings first."],
  wrongCode: [
    403,
    "The code is wrong or was already used. Check the clock of the device that shows it: a code is valid for half a minute.",
  ],
  codesUnreadable: [
    503,
    "This server can't check codes of authenticator apps: its key for them is missing. Use a recovery code, or ask your administrator.",
  ],
  passkeyExpired: [410, "The sign-in took too long or was already used. Start again."],
  passkeyUnknown: [
    401,
    "This server does not know this passkey: the passkey was removed, or its account was deleted. Sign in another way.",
  ],
  passkeyRefused: [401, "This passkey could not be checked: it belongs to another address or another account."],
  passkeyCopied: [
    401,
    "This passkey may have been copied: its counter went backwards. Sign in another way, remove the passkey in the settings and add a new one.",
  ],
  emailTaken: [409, "An account with this e-mail address already exists."],
  sessionReused: [401, "Your session was used in two places, so it was ended. Sign in again."],
  providerOff: [404, "Sign-in with another provider is not set up on this server."],
  providerFailed: [502, "Google authentication failed"],
  accountExists: [409, "An account with this e-mail address already exists. Sign in with its password."],
  freshSignInRequired: [403, "Sign in with the other provider again first."],
  linkRequired: [409, "An account with this e-mail address already exists. Enter its password to link the two."],
  providerTaken: [409, "This account of the other provider is already linked to another account here."],
  providerEmail: [403, "The other provider has not confirmed the e-mail address."],
  providerNotFresh: [403, "The other provider does not say when you signed in. Set a password by e-mail, and confirm with it."],
  forbidden: [403, "You are not allowed to do this."],
  notFound: [404, "This does not exist."],
  notOffered: [404, "This server does not offer this."],
  tooLarge: [413, "The request or file is too large."],
  tooLong: [413, "The recording is longer than this server accepts."],
  emptyFile: [422, "The file is empty."],
  notAudio: [422, "The file has no readable audio."],
  noSound: [422, "The video has no audio."],
  truncated: [422, "The file is incomplete."],
  noSpeech: [422, "No speech was detected."],
  languageUnavailable: [422, "No speech engine on this server recognizes this language."],
  translationUnavailable: [422, "No translation between these languages is set up on this server."],
  engineUnavailable: [503, "The speech engine can't be reached."],
  engineTimeout: [504, "The speech engine took too long."],
  engineFailed: [502, "The speech engine failed."],
  translationFailed: [502, "The translation failed."],
  diarizationFailed: [502, "The speakers could not be identified. The text was not changed."],
  recognitionFailed: [502, "The recording could not be recognized again. The text was not changed."],
  correctedMeanwhile: [409, "The text was corrected during the new recognition, so the corrected text was kept."],
  storageFull: [507, "The server's disk is full."],
  storageUnavailable: [503, "This server can't reach its files. Try again in a few minutes."],
  interrupted: [422, "The upload was interrupted."],
  crashed: [422, "The server stopped several times while it processed this. Try again, or save the recording in another format."],
  cancelledByOperator: [409, "Your administrator cancelled this. Nothing was lost: you can start it again."],
  gone: [410, "This no longer exists."],
  tooManyRequests: [429, "Too many attempts. Wait a while, then try again."],
  tooManyAtOnce: [429, "Too many of these run at the same time. Wait until some have finished."],
  quotaReached: [402, "Your storage on this server is full. Delete what you no longer need, or upgrade."],
  ownerQuotaReached: [402, "The owner's storage is full. Ask the owner to free some space."],
  limitReached: [402, "Your free minutes for this month are used up."],
  subscriptionRequired: [402, "This feature requires an active subscription"],
  urlRefused: [422, "This address can't be fetched: it is not a public http or https address."],
  urlUnreachable: [422, "This address could not be fetched."],
  urlTimeout: [504, "The server at this address took too long to answer."],
  conflict: [409, "This was changed elsewhere in the meantime. Reload, then try again."],
  editedAtOnce: [409, "Someone else changed this at the same time, so your change was not saved. Try again."],
  wrongPassword: [403, "The password is wrong."],
  passwordCommon: [422, "This password is too common: attackers try it first."],
  passwordPersonal: [422, "The password must not be your e-mail address, a part of it, or the name of this product."],
  lastSuperuser: [409, "You are the only superuser. Make another account a superuser first; then you can delete yours."],
  emailUnconfirmed: [403, "Please check your email to verify your account."],
  linkInvalid: [410, "This link was already used or has expired. Request a new one."],
  slugTaken: [409, "Another post already has this address."],
  notImage: [422, "The file is not a readable picture (PNG, JPEG, WebP, AVIF or GIF)."],
  chatUnavailable: [503, "No language model is set up on this server."],
  chatFailed: [502, "The language model gave an unusable answer."],
  noNewTopic: [422, "The language model found no new topic for the blog."],
  network: [502, "The network connection failed."],
  internal: [500, "Something went wrong on the server."],
} as const satisfies Record<ErrorCode, readonly [ContentfulStatusCode, string]>;

/** A code's English message, for callers without translations. */
export function sentenceOf(code: ErrorCode): string {
  return kinds[code][1];
}

/** An error that is sent to the caller: `{message, code}` with the code's status. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ErrorCode;
  readonly status: ContentfulStatusCode;
  /** Seconds to wait before the next attempt; sent as Retry-After. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message?: string,
    options: { status?: ContentfulStatusCode; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message ?? kinds[code][1], { cause: options.cause });
    this.code = code;
    this.status = options.status ?? kinds[code][0];
    this.retryAfter = options.retryAfter;
  }
}

/** Errors that only the operator can fix: the log has the reason. */
const ownFaults: ReadonlySet<ErrorCode> = new Set(["internal", "codesUnreadable"]);

/** Whether an error is logged as one of the server. What a caller has caused is none. */
export const isOwnFault = ({ code }: Pick<Problem, "code">): boolean => ownFaults.has(code);

/** The `code` of errors of Node, SQLite and PostgreSQL ("ENOSPC", "ERR_SQLITE_ERROR", "40001"). */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE: no room for the index of its log. */
const sqliteFull: readonly unknown[] = [13, 4874];

/** Whether the disk (or the quota on it) is full. 53100 is PostgreSQL's disk_full. */
export function isDiskFull(error: unknown): boolean {
  const code = errorCodeOf(error);
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG" || code === "53100") return true;
  return error instanceof Error && "errcode" in error && sqliteFull.includes(error.errcode);
}
