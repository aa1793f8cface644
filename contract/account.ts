import * as v from "valibot";
import { AcceptedId } from "./accepted.ts";
import { ErrorCode } from "./error.ts";
import { interfaceLanguages } from "./interface-languages.ts";

/** In characters. NIST SP 800-63B: at least 8, no composition rules. */
export const minPasswordLength = 8;
/** In UTF-16 units, as typed: the limit keeps hashing cheap. */
export const maxPasswordLength = 256;

/**
 * The form in which a password is checked, hashed and compared: NFKC (NIST SP 800-63B recommends it or NFKD). Keyboards
 * differ in whether "é" is one character or two, and whether digits are full-width; for the user they are the same.
 */
export function normalizePassword(password: string): string {
  return password.normalize("NFKC");
}

/** The error of a new password, without the check against the list of common ones; undefined for none. */
export function passwordFlaw(password: string): "short" | "long" | "blank" | undefined {
  if (password.length > maxPasswordLength) return "long";
  const normal = normalizePassword(password);
  if ([...normal].length < minPasswordLength) return "short";
  // Only white space and invisible characters.
  return /^[\s\p{Z}\p{C}]*$/u.test(normal) ? "blank" : undefined;
}

/** A new password. The list of common ones is on the server (server/account/new-password.ts). */
export const Password = v.pipe(
  v.string(),
  v.check(
    (password) => passwordFlaw(password) === undefined,
    `A password must have ${minPasswordLength} to ${maxPasswordLength} characters and more than spaces.`,
  ),
);

const product = "parlance";
/** A shorter part between digits does not count as the user's name. */
const minCore = 3;

/**
 * Whether it is an obvious guess: the e-mail address, its local part, or the product's name, even surrounded by digits
 * and punctuation.
 */
export function isPersonalPassword(password: string, email: string): boolean {
  const plain = (text: string) => normalizePassword(text).trim().toLowerCase();
  const core = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const address = plain(email);
  const known = [address, address.slice(0, address.lastIndexOf("@")), product].filter((text) => text !== "");
  const typed = plain(password);
  if (known.includes(typed)) return true;
  return core(typed).length >= minCore && known.some((text) => core(text) === core(typed));
}

/** Trimmed and lower-cased; at most 254 characters (RFC 5321, errata 1690). */
export const Email = v.pipe(v.string(), v.trim(), v.toLowerCase(), v.maxLength(254), v.email());
export const Credentials = v.object({
  email: Email,
  password: v.pipe(v.string(), v.minLength(1), v.maxLength(maxPasswordLength)),
});
export type Credentials = v.InferOutput<typeof Credentials>;

/** The languages of the interface, and of mails (SPEC.md section 3). */
export const InterfaceLanguage = v.picklist(interfaceLanguages.map(({ code }) => code));
export type InterfaceLanguage = v.InferOutput<typeof InterfaceLanguage>;

export const Registration = v.object({
  email: Email,
  password: Password,
  name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100)), ""),
  /** Language of mails. */
  language: v.optional(InterfaceLanguage),
});
export type Registration = v.InferOutput<typeof Registration>;

/** GET /users/me (SPEC.md section 3, "User profile"; the first spelling of each field). */
export const UserProfile = v.object({
  id: v.string(),
  email: v.string(),
  name: v.string(),
  avatar_url: v.nullable(v.string()),
  isSuperUser: v.boolean(),
  planType: v.string(),
  /** Absent when the server does not send it. */
  emailVerified: v.optional(v.boolean()),
  /** false: sign-in only through a provider. */
  hasPassword: v.optional(v.boolean()),
  /**
   * Whether the operator requires a second factor of superusers, and this one has none. Absent when the server does not
   * send it.
   */
  lacksSecondFactor: v.optional(v.boolean()),
  subscriptionId: v.nullable(v.string()),
});
export type UserProfile = v.InferOutput<typeof UserProfile>;

const Fields = v.record(v.string(), v.unknown());
const ProfileFields = v.object({
  ...UserProfile.entries,
  /**
   * "" when the server does not send it; the session knows whose profile it requested
   * (src/features/session/create-session.ts).
   */
  id: v.fallback(AcceptedId, ""),
  name: v.fallback(UserProfile.entries.name, ""),
  avatar_url: v.fallback(UserProfile.entries.avatar_url, null),
  isSuperUser: v.fallback(UserProfile.entries.isSuperUser, false),
  planType: v.fallback(UserProfile.entries.planType, "free"),
  emailVerified: v.fallback(UserProfile.entries.emailVerified, undefined),
  hasPassword: v.fallback(UserProfile.entries.hasPassword, undefined),
  lacksSecondFactor: v.fallback(UserProfile.entries.lacksSecondFactor, undefined),
  subscriptionId: v.fallback(v.nullable(AcceptedId), null),
});
/** The profile as the page accepts it, in every spelling of SPEC.md section 3. */
export const AcceptedProfile = v.pipe(
  Fields,
  v.transform((sent) => ({
    ...sent,
    avatar_url: sent.avatar_url ?? sent.avatarUrl,
    isSuperUser: sent.isSuperUser ?? sent.super_user ?? sent.is_superuser,
    planType: sent.planType ?? sent.plan_type,
  })),
  ProfileFields,
);

export const LoginAnswer = v.object({ accessToken: v.string(), user: v.optional(UserProfile) });
export const RefreshAnswer = v.object({ accessToken: v.string() });
export const RegisterAnswer = v.object({
  accessToken: v.optional(v.string()),
  user: v.optional(UserProfile),
  message: v.optional(v.string()),
  /** As in MessageAnswer. */
  mails: v.fallback(v.optional(v.picklist(["sent", "delayed", "none"])), undefined),
});
export type RegisterAnswer = v.InferOutput<typeof RegisterAnswer>;

/** GET /auth/providers: the sign-in methods beside e-mail and password. */
export const FederatedProvider = v.object({ id: v.string(), name: v.string() });
export type FederatedProvider = v.InferOutput<typeof FederatedProvider>;
export const ProvidersAnswer = v.object({
  /** The display name of the federated provider of the specification; null when none is configured. */
  federated: v.nullable(v.object({ name: v.string() })),
  /** All providers, beginning with that one. A sign-in starts at /auth/google (id "google") or /auth/providers/{id}. */
  providers: v.optional(v.array(FederatedProvider)),
});
export type ProvidersAnswer = v.InferOutput<typeof ProvidersAnswer>;

/** The message of the popup callback page to its opener (SPEC.md section 4, "Federated sign-in message"). */
export const FederatedMessage = v.variant("type", [
  v.object({ type: v.literal("AUTH_SUCCESS"), accessToken: v.string() }),
  /** A signed-in user has reauthenticated at the provider. */
  v.object({ type: v.literal("AUTH_CONFIRMED") }),
  v.object({ type: v.literal("AUTH_FAILURE"), code: v.fallback(ErrorCode, "providerFailed") }),
]);
export type FederatedMessage = v.InferOutput<typeof FederatedMessage>;

/** POST /auth/google/exchange: the code from the page's URL, to be exchanged for a token. */
export const ReturnCode = v.object({ code: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)) });

/** The claims by which servers identify a user, in order of preference; SPEC.md only says "user identity claims". */
const identityClaims = ["sub", "userId", "user_id", "uid", "id", "email", "username"] as const;
/** The user of a token without such a claim. */
const unnamed = "unnamed";

/** The access token's payload, as the page accepts it. `exp` and `iat` in seconds since the epoch. */
export const TokenClaims = v.pipe(
  Fields,
  v.transform((sent) => ({
    ...sent,
    sub: identityClaims.map((claim) => sent[claim]).find((name) => v.is(AcceptedId, name) && name !== "") ?? unnamed,
  })),
  v.object({
    sub: AcceptedId,
    exp: v.number(),
    iat: v.fallback(v.optional(v.number()), undefined),
    email: v.fallback(v.optional(v.string()), undefined),
    sid: v.fallback(v.optional(v.string()), undefined),
  }),
);
export type TokenClaims = v.InferOutput<typeof TokenClaims>;

/** The token of a link in a mail. */
const LinkToken = v.pipe(v.string(), v.regex(/^[\w-]{20,100}$/));

/**
 * What a link in a mail does: nothing special by default, `stop` cancels a change of address, `signup` sets the
 * password of a pending registration. It precedes the 43 characters of the token.
 */
export type LinkKind = "stop" | "signup";
export function linkKindOf(token: string): LinkKind | undefined {
  const kind = /^(stop|signup)-[\w-]{43}$/.exec(token)?.[1];
  return kind === "stop" || kind === "signup" ? kind : undefined;
}

/**
 * POST /auth/forgot-password and /auth/resend-confirmation. The response does not reveal whether the address has an
 * account.
 */
export const ForgotPassword = v.object({ email: Email, language: v.optional(InterfaceLanguage) });
/** POST /auth/reset-password */
export const ResetPassword = v.object({ token: LinkToken, password: Password });
/** POST /auth/confirm-email */
export const ConfirmEmail = v.object({
  token: LinkToken,
  /** The password of a registration; not needed for the link to an account's new address. */
  password: v.optional(v.pipe(v.string(), v.maxLength(256)), ""),
});
/** POST /auth/stop-email-change: the link in the mail to an account's old address. */
export const StopEmailChange = v.object({ token: LinkToken });
/**
 * The state of a server's mails: they are sent; they wait for the mail server; there is none. It does not depend on the
 * recipient.
 */
export const MailState = v.picklist(["sent", "delayed", "none"]);
export type MailState = v.InferOutput<typeof MailState>;

export const MessageAnswer = v.object({
  message: v.string(),
  /** Sent to a user who waits for a mail. Absent: the page assumes that mails are sent. */
  mails: v.fallback(v.optional(MailState), undefined),
});
