import { undefined as nothing } from "valibot";
import {
  type ContactMessage,
  type Feedback,
  InboxAnswer,
  InboxMessage,
  type inboxKinds,
  type inboxStates,
  type ListPage,
  MessageAnswer,
  WaitlistAnswer,
  type WaitlistEntry,
  type WaitlistRow,
} from "#contract/index.ts";
import { listPageOf } from "./admin.ts";
import type { Call, Send } from "./http.ts";

/** Messages to the operator. All of them throw ApiError. */
export function createInboxApi(call: Call) {
  const post = async (path: string, json: unknown, signal?: AbortSignal): Promise<void> => {
    await call(path, { json, schema: MessageAnswer, signal });
  };
  return {
    /** Idempotent by clientId. */
    feedback: (json: Feedback, signal?: AbortSignal) => post("/feedback", json, signal),
    contact: (json: ContactMessage, signal?: AbortSignal) => post("/contact", json, signal),
    waitlist: (json: WaitlistEntry, signal?: AbortSignal) => post("/waitlist", json, signal),
  };
}

export type InboxApi = ReturnType<typeof createInboxApi>;

export interface InboxQuery {
  kind: (typeof inboxKinds)[number];
  state: (typeof inboxStates)[number];
  page: number;
}

/** Messages from users, and the waiting list. All calls throw ApiError. */
export function createAdminInboxApi(call: Call, send: Send) {
  const message = (id: string) => `/admin/inbox/${encodeURIComponent(id)}`;
  return {
    async messages({ page, ...query }: InboxQuery, signal?: AbortSignal): Promise<ListPage<InboxMessage>> {
      const asked = new URLSearchParams({ page: String(page), ...query });
      const answer = await call(`/admin/inbox?${asked}`, { schema: InboxAnswer, signal });
      return listPageOf(answer.messages, answer.pagination);
    },
    async handle(id: string, handled: boolean, signal?: AbortSignal): Promise<void> {
      await call(message(id), { method: "PATCH", json: { handled }, schema: InboxMessage, signal });
    },
    remove: (id: string, signal?: AbortSignal) => call(message(id), { method: "DELETE", schema: nothing(), signal }),
    async waitlist(page: number, signal?: AbortSignal): Promise<ListPage<WaitlistRow>> {
      const answer = await call(`/admin/waitlist?page=${page}`, { schema: WaitlistAnswer, signal });
      return listPageOf(answer.entries, answer.pagination);
    },
    /** The whole waiting list as CSV. */
    waitlistFile: async (signal: AbortSignal): Promise<Blob> => (await send("/admin/waitlist.csv", { signal })).blob(),
  };
}
