import * as v from "valibot";
import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { type InboxMessage, inboxKinds, type WaitlistRow } from "#contract/index.ts";
import { type RowAction, rowActionsMachine } from "#machines/admin/row-actions.ts";
import { createAdminInboxApi, type InboxQuery } from "#src/api/inbox.ts";
import { downloadFile } from "#src/browser/download.ts";
import { inspected } from "#src/browser/inspection.ts";
import { perVisit } from "#src/browser/per-visit.ts";
import { toast } from "#src/browser/toasts.ts";
import { call, send } from "#src/features/session/api.ts";
import { type AdminList, keepAdminList } from "./list-actor.ts";
import { adminSearch, choice, PageNumber, type RawAdminSearch } from "./search.ts";

const api = createAdminInboxApi(call, send);

export const inboxBoxes = [...inboxKinds, "waitlist"] as const;
/** The default filter, "any", is omitted from the address. */
export const inboxStates = ["open", "done", "any"] as const;
const InboxSearch = v.object({ kind: choice(inboxBoxes), state: choice(inboxStates), page: PageNumber });
export type InboxSearch = v.InferOutput<typeof InboxSearch>;

/** The query of an address. */
export const inboxAsked = (address: unknown): InboxSearch => v.parse(InboxSearch, address);
/** The address of a query. */
export const inboxSearch = ({ state, ...search }: InboxSearch): Record<string, string | number> =>
  adminSearch("inbox", { ...search, state: state === "open" || search.kind === "waitlist" ? "" : state });

const messages = keepAdminList<InboxMessage, InboxQuery>((query, signal) => api.messages(query, signal));
const waitlist = keepAdminList<WaitlistRow, { page: number }>(({ page }, signal) => api.waitlist(page, signal));
export type MessageList = AdminList<InboxMessage, InboxQuery>;
export type WaitlistList = AdminList<WaitlistRow, { page: number }>;

async function perform({ action, id }: RowAction, signal: AbortSignal): Promise<void> {
  if (action === "delete") return api.remove(id, signal);
  if (action === "download") return downloadFile(await api.waitlistFile(signal), "waitlist.csv");
  return api.handle(id, action === "done", signal);
}

const machine = rowActionsMachine.provide({
  actors: {
    perform: fromPromise(async ({ input: { rowAction }, signal }) => {
      if (rowAction !== undefined) await perform(rowAction, signal);
    }),
  },
});
export type RowActionsActor = ActorRefFrom<typeof machine>;

const actions = perVisit((): RowActionsActor => {
  const actor = createActor(machine, { ...inspected(), input: { asksFirst: ["delete"], polls: false } });
  actor.on("rowAction.done", ({ rowAction: { action, id } }) => {
    if (action === "download") return;
    messages.refresh();
    const undo = () => openInboxActions().send({ type: "rowAction.requested", rowAction: { action: "open", id } });
    if (action === "done") toast({ kind: "success", key: "admin:inbox.nowDone", action: { key: "admin:inbox.undo", run: undo } });
    if (action === "open") toast({ kind: "success", key: "admin:inbox.nowOpen" });
    if (action === "delete") toast({ kind: "success", key: "admin:inbox.deleted" });
  });
  return actor.start();
});
/** The actor that handles messages; one until the section is left. */
export const openInboxActions = actions.open;

/** Called when the section is opened or its search parameters change. */
export function openInbox(raw: RawAdminSearch) {
  const search = inboxAsked(raw);
  const { kind, state, page } = search;
  if (kind === "waitlist") return { search, messages: null, waitlist: waitlist.show({ page }) };
  return { search, messages: messages.show({ kind, state: state === "any" ? "all" : state, page }), waitlist: null };
}

export function closeInbox(): void {
  messages.close();
  waitlist.close();
  actions.close();
}
