import { type ContactMessage, type Feedback, MessageAnswer, type WaitlistEntry } from "#contract/index.ts";
import type { Call } from "./http.ts";

/** Messages to the operator. All of them throw ApiError. */
export function createInboxApi(call: Call) {
  const post = async (path: string, json: unknown, signal?: AbortSignal): Promise<void> => {
    await call(path, { method: "POST", json, schema: MessageAnswer, signal });
  };
  return {
    /** Idempotent by clientId, as with the message. */
    feedback: (json: Feedback, signal?: AbortSignal) => post("/feedback", json, signal),
    contact: (json: ContactMessage, signal?: AbortSignal) => post("/contact", json, signal),
    waitlist: (json: WaitlistEntry, signal?: AbortSignal) => post("/waitlist", json, signal),
  };
}

export type InboxApi = ReturnType<typeof createInboxApi>;
