import * as v from "valibot";
import { Email, InterfaceLanguage } from "./account.ts";

/** Made by the page: makes sending idempotent. */
const ClientId = v.pipe(v.string(), v.uuid());
const Text = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(10_000));

/** POST /feedback (signed in) */
export const Feedback = v.object({
  clientId: ClientId,
  text: Text,
  /** 1 (poor) to 5 (great); absent: no rating. */
  rating: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5))),
  language: v.optional(InterfaceLanguage, "en"),
});
export type Feedback = v.InferInput<typeof Feedback>;

/** POST /contact */
export const ContactMessage = v.object({
  clientId: ClientId,
  name: v.pipe(v.string(), v.trim(), v.maxLength(100)),
  email: Email,
  text: Text,
  language: v.optional(InterfaceLanguage, "en"),
});
export type ContactMessage = v.InferInput<typeof ContactMessage>;

/** POST /waitlist: the answer is the same for an address that is already on it. */
export const WaitlistEntry = v.object({ email: Email, language: v.optional(InterfaceLanguage, "en") });
export type WaitlistEntry = v.InferInput<typeof WaitlistEntry>;
