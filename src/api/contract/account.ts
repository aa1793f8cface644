import * as v from "valibot";
import { AcceptedId } from "./accepted.ts";
import { ErrorCode } from "./error.ts";
import { maxPasswordLength, Password } from "./password.ts";

/** Trimmed and lower-cased; at most 254 characters (RFC 5321, errata 1690). */
export const Email = v.pipe(v.string(), v.trim(), v.toLowerCase(), v.maxLength(254), v.email());
export const Credentials = v.object({
  email: Email,
  password: v.pipe(v.string(), v.minLength(1), v.maxLength(maxPasswordLength)),
});
export type Credentials = v.InferOutput<typeof Credentials>;

/** The languages of the interface, and of mails (SPEC.md section 3). */
export const InterfaceLanguage = v.picklist(["en", "de", "es", "fr", "pt-BR", "nl", "da"]);
export type InterfaceLanguage = v.InferOutput<typeof InterfaceLanguage>;

export const Registration = v.object({
  email: Email,
  password: Password,
  name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100)), ""),
  /** For mails. */
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
  /** Absent where a server does not say. */
  emailVerified: v.optional(v.boolean()),
  /** false: it is entered through a provider alone. */
  hasPassword: v.optional(v.boolean()),
  subscriptionId: v.nullable(v.string()),
});
export type UserProfile = v.InferOutput<typeof UserProfile>;

const Fields = v.record(v.string(), v.unknown());
const ProfileFields = v.object({
  ...UserProfile.entries,
  /** "": the server does not say; the session knows whom it has asked for (src/features/session/create-session.ts). */
  id: v.fallback(AcceptedId, ""),
  name: v.fallback(UserProfile.entries.name, ""),
  avatar_url: v.fallback(UserProfile.entries.avatar_url, null),
  isSuperUser: v.fallback(UserProfile.entries.isSuperUser, false),
  planType: v.fallback(UserProfile.entries.planType, "free"),
  emailVerified: v.fallback(UserProfile.entries.emailVerified, undefined),
  hasPassword: v.fallback(UserProfile.entries.hasPassword, undefined),
  subscriptionId: v.fallback(v.nullable(AcceptedId), null),
});
/** The same as the page takes it, in every spelling of SPEC.md section 3. */
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
});
export type RegisterAnswer = v.InferOutput<typeof RegisterAnswer>;

/** GET /auth/providers: what there is beside e-mail and password. */
export const ProvidersAnswer = v.object({
  /** The one provider that people may sign in with, by the name they know it under; null when none is set up. */
  federated: v.nullable(v.object({ name: v.string() })),
});
export type ProvidersAnswer = v.InferOutput<typeof ProvidersAnswer>;

/** What the window of a federated sign-in tells the page that has opened it (SPEC.md section 4, "Federated sign-in message"). */
export const FederatedMessage = v.variant("type", [
  v.object({ type: v.literal("AUTH_SUCCESS"), accessToken: v.string() }),
  /** A signed-in person has signed in at the provider once more. */
  v.object({ type: v.literal("AUTH_CONFIRMED") }),
  v.object({ type: v.literal("AUTH_FAILURE"), code: v.fallback(ErrorCode, "providerFailed") }),
]);
export type FederatedMessage = v.InferOutput<typeof FederatedMessage>;

/** POST /auth/google/exchange: what stood in the page's address, for a token. */
export const ReturnCode = v.object({ code: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)) });

/** By which claims servers name a person, the best first; SPEC.md says no more than "user identity claims". */
const identityClaims = ["sub", "userId", "user_id", "uid", "id", "email", "username"] as const;
/** Who has a token that names nobody. */
const unnamed = "unnamed";

/** The access token's payload, as the page takes it. `exp` and `iat` in seconds since the epoch. */
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

/** What comes out of the link in a mail. */
const LinkToken = v.pipe(v.string(), v.regex(/^[\w-]{20,100}$/));

/**
 * What the page behind a link in a mail has to ask: nothing by default, `stop` for a change of address that is to be stopped, `signup`
 * for the password of a registration that waits. It stands before the 43 characters of the token.
 */
export type LinkKind = "stop" | "signup";
export function linkKindOf(token: string): LinkKind | undefined {
  const kind = /^(stop|signup)-[\w-]{43}$/.exec(token)?.[1];
  return kind === "stop" || kind === "signup" ? kind : undefined;
}

/** POST /auth/forgot-password and /auth/resend-confirmation: the answer is the same whether the address is known or not. */
export const ForgotPassword = v.object({ email: Email, language: v.optional(InterfaceLanguage) });
export const ResendConfirmation = ForgotPassword;
/** POST /auth/reset-password */
export const ResetPassword = v.object({ token: LinkToken, password: Password });
/** POST /auth/confirm-email */
export const ConfirmEmail = v.object({
  token: LinkToken,
  /** The one that was chosen with the address; not asked for by the link to an account's new address. */
  password: v.optional(v.pipe(v.string(), v.maxLength(256)), ""),
});
/** POST /auth/stop-email-change: the link in the mail to the address that an account is about to leave. */
export const StopEmailChange = v.object({ token: LinkToken });
export const MessageAnswer = v.object({ message: v.string() });
