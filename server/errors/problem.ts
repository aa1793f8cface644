import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorCode } from "#contract/index.ts";

const kinds = {
  badRequest: [400, "The request is not understood."],
  unauthorized: [401, "Sign in first."],
  // SPEC.md section 6: verbatim.
  adminRequired: [401, "Unauthorized: Admin access required"],
  badCredentials: [401, "E-mail or password is wrong."],
  accountBlocked: [403, "The operator of this server has blocked this account. Nothing of it was deleted."],
  secondFactorRequired: [403, "The password is right. This account also asks for a code of its authenticator app."],
  secondFactorNeeded: [403, "Administrators of this server need a second factor. Set it up in the settings first."],
  wrongCode: [
    403,
    "The code is wrong, or was used already. Check that the clock of the device that shows it is right: a code is valid for half a minute.",
  ],
  codesUnreadable: [
    503,
    "This server can't check the codes of an authenticator app just now: its key for them is missing. Use a recovery code, or ask whoever runs the server.",
  ],
  passkeyExpired: [410, "That took too long, or was tried before. Begin again."],
  passkeyUnknown: [401, "This passkey is not known here: it was removed, or its account was deleted. Sign in another way."],
  passkeyRefused: [401, "This passkey could not be checked: it was made for another address, or for another account."],
  passkeyCopied: [
    401,
    "This passkey has counted backwards, as a copy would. Sign in another way, remove it in the settings and add a new one.",
  ],
  emailTaken: [409, "An account with this e-mail exists already."],
  sessionReused: [401, "This sign-in was used from two places and has been ended. Sign in again."],
  providerOff: [404, "Signing in with another provider is not set up on this server."],
  providerFailed: [502, "Google authentication failed"],
  accountExists: [409, "An account with this e-mail exists already. Sign in with its password."],
  freshSignInRequired: [403, "Sign in with the other provider once more first."],
  linkRequired: [409, "An account with this e-mail exists already. Type its password to link the two."],
  providerTaken: [409, "This account of the other provider opens another account here already."],
  providerEmail: [403, "The other provider has not confirmed the e-mail address."],
  providerNotFresh: [
    403,
    "The other provider does not say when you signed in. Choose a password by mail, and confirm with that.",
  ],
  forbidden: [403, "This is not allowed."],
  notFound: [404, "There is nothing here."],
  notOffered: [404, "This server does not offer that."],
  tooLarge: [413, "This is too large."],
  tooLong: [413, "The recording is longer than this server takes."],
  emptyFile: [422, "The file is empty."],
  notAudio: [422, "The file holds no audio that can be read."],
  noSound: [422, "The video has no sound."],
  truncated: [422, "The file ends early."],
  noSpeech: [422, "No speech was heard."],
  languageUnavailable: [422, "No speech engine here hears this language."],
  translationUnavailable: [422, "No translation between these languages is set up here."],
  engineUnavailable: [503, "The speech engine can't be reached."],
  engineTimeout: [504, "The speech engine took too long."],
  engineFailed: [502, "The speech engine failed."],
  translationFailed: [502, "The translation did not work."],
  diarizationFailed: [502, "It could not be found out who speaks. The text is as it was."],
  recognitionFailed: [502, "The recording could not be recognized again. The text is as it was."],
  correctedMeanwhile: [409, "The text was corrected while it was recognized again. The corrected text stays."],
  storageFull: [507, "The server's disk is full."],
  storageUnavailable: [503, "The files of this server can't be reached at the moment. Try again in a little while."],
  interrupted: [422, "The upload was cut off."],
  crashed: [422, "The server stopped again and again while it made this. Try again, or save the recording in another format."],
  cancelledByOperator: [409, "The operator of this server has cancelled this. Nothing was lost: it can be started anew."],
  gone: [410, "This is gone."],
  tooManyRequests: [429, "Too many attempts. Wait a little."],
  tooManyAtOnce: [429, "Too much of this is going on at once. Wait until some of it has ended."],
  quotaReached: [402, "Your storage on this server is full. Delete what you do not need any more, or upgrade."],
  ownerQuotaReached: [402, "The storage of whoever shares this is full: they have to make room first."],
  limitReached: [402, "The free minutes of this month are used up."],
  subscriptionRequired: [402, "This feature requires an active subscription"],
  urlRefused: [422, "This address can't be fetched: it is not a public http or https address."],
  urlUnreachable: [422, "Nothing could be fetched from this address."],
  urlTimeout: [504, "The server at this address took too long."],
  conflict: [409, "This was changed elsewhere in the meantime."],
  editedAtOnce: [409, "Others were changing this at the same moment, so the change was not saved. Try again."],
  wrongPassword: [403, "The password is wrong."],
  passwordCommon: [422, "This password is one of the most common ones: it is among the first that anybody tries."],
  passwordPersonal: [422, "The password must not be the e-mail address, a part of it, or the name of this product."],
  lastSuperuser: [409, "You are the only superuser. Give that right to somebody else first; then your account can be deleted."],
  emailUnconfirmed: [403, "Please check your email to verify your account."],
  linkInvalid: [410, "This link was used already or is too old. Ask for a new one."],
  slugTaken: [409, "Another post has this address already."],
  notImage: [422, "The file is no picture that can be read (PNG, JPEG, WebP, AVIF or GIF)."],
  chatUnavailable: [503, "No language model is set up on this server."],
  chatFailed: [502, "The language model did not answer as it should."],
  noNewTopic: [422, "The language model found no topic that the blog has not had already."],
  network: [502, "The network failed."],
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

/** What only the operator can mend: the log says why. */
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
