import * as v from "valibot";
import { Email, InterfaceLanguage, Password } from "./account.ts";

/** PATCH /users/me; the answer is the profile. */
export const ProfileChange = v.object({
  name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100))),
  language: v.optional(InterfaceLanguage),
});
export type ProfileChange = v.InferInput<typeof ProfileChange>;

/** What is asked for again before something that can't be undone; "" for an account without a password. */
const OwnPassword = v.optional(v.pipe(v.string(), v.maxLength(256)), "");

/** POST /users/me/password: every other sign-in ends. */
export const PasswordChange = v.object({ currentPassword: OwnPassword, newPassword: Password });
export type PasswordChange = v.InferInput<typeof PasswordChange>;
/** POST /users/me/email: the new address counts once its link was opened. */
export const EmailChange = v.object({ email: Email, password: OwnPassword });
export type EmailChange = v.InferInput<typeof EmailChange>;
/** DELETE /users/me */
export const AccountDeletion = v.object({ password: OwnPassword });
export type AccountDeletion = v.InferInput<typeof AccountDeletion>;

/** One sign-in on one device. */
export const SignIn = v.object({
  id: v.string(),
  /** The browser, as it calls itself (User-Agent). */
  device: v.nullable(v.string()),
  /** ISO 8601, UTC. */
  createdAt: v.string(),
  seenAt: v.nullable(v.string()),
  /** The one that asks. */
  current: v.boolean(),
});
export type SignIn = v.InferOutput<typeof SignIn>;
/** GET /users/me/sessions: the one used last first. DELETE of …/{id} ends one, DELETE of the list all others. */
export const SignInsAnswer = v.object({ sessions: v.array(SignIn) });

/** PUT /users/me/avatar: the picture as it is, of one of these types, of at most this many bytes. */
export const avatarTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;
export const maxAvatarBytes = 5_000_000;
