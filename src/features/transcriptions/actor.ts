import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import type { Transcription, TranscriptionSummary } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { selectAllTags, selectFolders, selectIsKnown } from "#machines/filing/machine.ts";
import { withPlacing } from "#machines/filing/rules.ts";
import type { TranscriptionsCommand, TranscriptionsEvent } from "#machines/transcriptions/events.ts";
import type { filedFiltersMachine } from "#machines/transcriptions/filed-filters.ts";
import type { filtersMachine } from "#machines/transcriptions/filters.ts";
import type { FoundActor } from "#machines/transcriptions/found/machine.ts";
import { selectFoundRows } from "#machines/transcriptions/found/selectors.ts";
import { transcriptionsMachine } from "#machines/transcriptions/machine.ts";
import type { PageAnswer, PageRequest } from "#machines/transcriptions/rules.ts";
import { selectIsSelecting, type selectionMachine } from "#machines/transcriptions/selection.ts";
import { selectItems } from "#machines/transcriptions/selectors.ts";
import { type SearchRequest, selectRows, serverSearchMachine } from "#machines/transcriptions/server-search.ts";
import { inspected } from "#src/browser/inspection.ts";
import { toast } from "#src/browser/toasts.ts";
import { type OpenFiling, openFiling } from "#src/features/filing/actor.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { askUsage } from "#src/features/subscription/usage.ts";
import { deletions } from "./deletions.ts";
import { followTranscriptions, observeFiling } from "./event-stream.ts";
import { followAddress, type LibraryAddressActor } from "./follow-address.ts";
import { followFound } from "./found.ts";
import { saveFinal, unsaved } from "./unsaved.ts";

export type Transcriptions = ActorRefFrom<typeof transcriptionsMachine>;
export type TranscriptionFilters = ActorRefFrom<typeof filtersMachine>;
type FiledFilters = ActorRefFrom<typeof filedFiltersMachine>;
export type Selection = ActorRefFrom<typeof selectionMachine>;

/**
 * Splits a command into calls that run one after another. @returns functions; each resolves with its row after the call
 */
function callsOf(command: TranscriptionsCommand): (() => Promise<Transcription>)[] {
  if (command.type === "retry.requested") return [() => transcriptionsApi.update(command.id, { retry: true })];
  return unsaved.list().map((waiting) => () => saveFinal(waiting));
}

const commands = fromCallback<TranscriptionsCommand>(({ receive, sendBack }) => {
  const run = async (command: TranscriptionsCommand) => {
    // A rejected call must not prevent the others. The first error is reported.
    const failures: unknown[] = [];
    for (const call of callsOf(command)) {
      try {
        sendBack({ type: "transcription.updated", transcription: await call() });
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) sendBack({ type: "command.failed", command: command.type, code: codeOf(failures[0]) });
  };
  receive((command) => void run(command));
});

const updates = fromCallback<TranscriptionsCommand>(({ sendBack }) => {
  const send = (event: TranscriptionsEvent) => sendBack(event);
  const leaveEvents = followTranscriptions(({ transcription }) => {
    // Ignores updates of a row that is being deleted.
    if (deletions.find(transcription.id) === undefined) send({ type: "transcription.updated", transcription });
  });
  const leaveDeletions = deletions.follow((event) => {
    if (event.type === "deletion.begun") send({ type: "transcriptions.removed", ids: event.ids });
    else if (event.type === "transcriptions.restored" || event.type === "deletion.failed") {
      const { transcriptions } = event;
      // Rows deleted before a reload are known only by id, so the list is reloaded.
      if (transcriptions.some(({ date }) => date === "")) send({ type: "list.outdated" });
      else send({ type: "transcriptions.returned", transcriptions });
    }
  });
  return () => {
    leaveEvents();
    leaveDeletions();
  };
});

async function fetchPage(request: PageRequest | SearchRequest, signal: AbortSignal): Promise<PageAnswer> {
  const answer = await transcriptionsApi.history(request, signal);
  // The server may have answered before it processed a deletion.
  const data = answer.data.filter(({ id }) => deletions.find(id) === undefined);
  return { ...answer, data };
}

const machine = transcriptionsMachine.provide({
  actors: {
    commands,
    updates,
    fetchPage: fromPromise(({ input, signal }) => fetchPage(input, signal)),
    // Also searches the full texts, because the lists contain only their beginning.
    search: serverSearchMachine.provide({
      actors: { search: fromPromise(({ input, signal }) => fetchPage(input, signal)) },
    }),
  },
});

export interface OpenTranscriptions {
  actor: Transcriptions;
  filters: TranscriptionFilters;
  filedFilters: FiledFilters;
  selection: Selection;
  filing: OpenFiling;
  address: LibraryAddressActor;
  /** The rows that match the search and the filters. */
  found: FoundActor;
}

const histories = perOwner<OpenTranscriptions & { leaveFiling(): void }>({
  end: ({ actor, found, filing, address, leaveFiling }) => {
    found.stop();
    actor.stop();
    address.stop();
    leaveFiling();
    filing.close();
  },
});

function create(): Transcriptions {
  const actor = createActor(machine, { ...inspected(), input: { now: Date.now } });
  actor.on("command.failed", ({ command, code }) => {
    if (code === "network") toast({ kind: "error", key: "errors.network" });
    else if (command === "save.requested") toast({ kind: "error", key: "toast.saveFailed" });
    else toast({ kind: "error", key: `errors.${code}` });
  });
  return actor.start();
}

/** @throws Error when the list has been stopped */
function childrenOf(actor: Transcriptions): Pick<OpenTranscriptions, "filters" | "filedFilters" | "selection"> {
  const { filters, filedFilters, selection } = actor.getSnapshot().children;
  if (filters === undefined || filedFilters === undefined || selection === undefined)
    throw new Error("They run as long as the list does.");
  return { filters, filedFilters, selection };
}

/** Removes deleted folders and tags from the filters. */
function dropDeleted(filedFilters: FiledFilters, { list }: OpenFiling): void {
  const snapshot = list.getSnapshot();
  if (!selectIsKnown(snapshot)) return;
  const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);
  const folders = idsOf(selectFolders(snapshot));
  filedFilters.send({ type: "filing.changed", folders, tags: idsOf(selectAllTags(snapshot)) });
}

/** Keeps the list, its filters, and the user's folders and tags in step. @returns a function that ends it */
function connectFiling(actor: Transcriptions, filedFilters: FiledFilters, filing: OpenFiling): () => void {
  const { list, bulk } = filing;
  list.subscribe(() => dropDeleted(filedFilters, filing));
  bulk.on("rows.placed", ({ ids, placing }) => {
    const placed = new Set(ids);
    const { search } = actor.getSnapshot().children;
    const known = [...selectItems(actor.getSnapshot()), ...(search === undefined ? [] : selectRows(search.getSnapshot()))];
    for (const row of known) {
      if (placed.delete(row.id)) actor.send({ type: "transcription.updated", transcription: withPlacing(row, placing) });
    }
  });
  return observeFiling((filing) => list.send({ type: "filing.received", filing }));
}

/** The signed-in user's history. Its state (search, filters, loaded rows) stays while the user visits other pages. */
export function openTranscriptions(): OpenTranscriptions {
  const open = histories.open(() => {
    const actor = create();
    const { filters, filedFilters, selection } = childrenOf(actor);
    const filing = openFiling();
    const leaveFiling = connectFiling(actor, filedFilters, filing);
    const address = followAddress({ actor, filters, filedFilters }, () => dropDeleted(filedFilters, filing));
    const found = followFound(actor, filters);
    found.on("all.found", ({ ids }) => selection.send({ type: "all.requested", ids }));
    // Offers files that were too long again when the minutes suffice.
    const following = actor.subscribe((snapshot) => {
      if (!selectItems(snapshot).some(({ error }) => error?.code === "limitReached")) return;
      following.unsubscribe();
      askUsage();
    });
    let shown = selectFoundRows(found.getSnapshot());
    found.subscribe((snapshot) => {
      const rows = selectFoundRows(snapshot);
      const isChanged = rows !== shown;
      shown = rows;
      if (isChanged && selectIsSelecting(selection.getSnapshot()))
        selection.send({ type: "rows.changed", ids: rows.map(({ id }) => id) });
    });
    // Retries texts that this browser has not saved yet.
    if (unsaved.list().length > 0) actor.send({ type: "unsavedRetry.requested" });
    return { actor, filters, filedFilters, selection, filing, address, found, leaveFiling };
  });
  // Reloads folders and tags only if they could not be loaded before.
  open.filing.list.send({ type: "reload.requested" });
  return open;
}

/**
 * Lists a new transcription before the event stream reports it. A row that is already listed may be newer, so it stays.
 */
export function listNew(transcription: TranscriptionSummary): void {
  const actor = openedTranscriptions();
  if (actor === undefined || deletions.find(transcription.id) !== undefined) return;
  if (selectItems(actor.getSnapshot()).some(({ id }) => id === transcription.id)) return;
  actor.send({ type: "transcription.updated", transcription });
}

/** The list, if it has been opened. Other code notifies it of changes. */
export const openedTranscriptions = (): Transcriptions | undefined => histories.opened()?.actor;
