import * as v from "valibot";
import { Email, InterfaceLanguage } from "./account.ts";
import { adminPaging } from "./admin.ts";
import { Pagination } from "./transcriptions.ts";

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

export const inboxKinds = ["all", "feedback", "contact"] as const;
export const inboxStates = ["open", "done", "all"] as const;

/** GET /admin/inbox?kind=&state=&page=&limit=20: messages from people, newest first. */
export const InboxQuery = v.object({
  ...adminPaging,
  kind: v.optional(v.picklist(inboxKinds), "all"),
  state: v.optional(v.picklist(inboxStates), "open"),
});

export const InboxMessage = v.object({
  id: v.string(),
  kind: v.picklist(["feedback", "contact"]),
  userId: v.nullable(v.string()),
  /** "" when none was given. */
  name: v.string(),
  email: v.string(),
  /** 1 to 5; null: no rating. */
  rating: v.nullable(v.number()),
  text: v.string(),
  /** Of the page on which it was written. */
  language: v.string(),
  createdAt: v.string(),
  /** When it was marked as done; null: not yet. */
  handledAt: v.nullable(v.string()),
});
export type InboxMessage = v.InferOutput<typeof InboxMessage>;
export const InboxAnswer = v.object({ messages: v.array(InboxMessage), pagination: Pagination });

/** PATCH /admin/inbox/{id} answers with the message. DELETE answers 204. Both: 404 for an unknown one. */
export const InboxChange = v.object({ handled: v.boolean() });

/** GET /admin/waitlist?page=&limit=20: longest waiting first; GET /admin/waitlist.csv: all of them as a file. */
export const WaitlistQuery = v.object(adminPaging);
export const WaitlistRow = v.object({ email: v.string(), language: v.string(), joinedAt: v.string() });
export type WaitlistRow = v.InferOutput<typeof WaitlistRow>;
export const WaitlistAnswer = v.object({ entries: v.array(WaitlistRow), pagination: Pagination });
