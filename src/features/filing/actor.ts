import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { maxArchived } from "#contract/index.ts";
import { type ArchiveOrder, bulkMachine } from "#machines/filing/bulk.ts";
import type { FilingEvent } from "#machines/filing/events.ts";
import { filingMachine, selectFolders } from "#machines/filing/machine.ts";
import type { FilingEdit } from "#machines/filing/rules.ts";
import { createFilingApi } from "#src/api/filing.ts";
import { downloadFile } from "#src/browser/download.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { ownCall, ownSend } from "#src/features/session/api.ts";
import { i18n, loadTexts } from "#src/i18n/index.ts";

const api = createFilingApi(ownCall, ownSend);

/** @returns the id of the edited or new item */
async function save(edit: FilingEdit, signal: AbortSignal): Promise<string> {
  const { kind, id } = edit;
  if (edit.draft === null) {
    if (id !== null) await api.remove(kind === "folder" ? "folders" : "tags", id, signal);
    return id ?? "";
  }
  if (edit.kind === "folder")
    return (await (id === null ? api.addFolder(edit.draft, signal) : api.changeFolder(id, edit.draft, signal))).id;
  return (await (id === null ? api.addTag(edit.draft, signal) : api.changeTag(id, edit.draft, signal))).id;
}

/** Downloads one archive for each portion of at most `maxArchived` transcripts. */
async function archive({ ids, format, content, look }: ArchiveOrder, signal: AbortSignal): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  for (let from = 0; from < ids.length; from += maxArchived) {
    const request = {
      ids: ids.slice(from, from + maxArchived),
      formats: [format],
      lng: i18n.language,
      ...(content && { content }),
      ...look,
    };
    const part = ids.length > maxArchived ? `-${from / maxArchived + 1}` : "";
    downloadFile(await api.archive(request, signal), `transcripts-${day}${part}.zip`);
  }
}

const filing = filingMachine.provide({
  actors: {
    wakeUps: createWakeUps<FilingEvent>(),
    // Loads the texts together with the items.
    load: fromPromise(async ({ signal }) => (await Promise.all([api.list(signal), loadTexts("filing")]))[0]),
    save: fromPromise(({ input, signal }) => save(input, signal)),
  },
});

const bulk = bulkMachine.provide({
  actors: {
    place: fromPromise(async ({ input: { ids, placing }, signal }) => {
      const { done, failed } = await api.place(ids, placing, signal);
      return { done, failed: failed.length, code: failed[0]?.code ?? null };
    }),
    archive: fromPromise(({ input, signal }) => archive(input, signal)),
  },
});

type Filing = ActorRefFrom<typeof filingMachine>;
type Bulk = ActorRefFrom<typeof bulkMachine>;

/** A user's folders and tags, and the actions on rows. */
export interface OpenFiling {
  list: Filing;
  bulk: Bulk;
  close(): void;
}

/** Loads the folders and tags. Toasts report failures. */
export function openFiling(): OpenFiling {
  const list = createActor(filing, inspected()).start();
  const many = createActor(bulk, inspected());
  many.on("placing.failed", ({ code }) => {
    if (code === "tooManyAtOnce") toast({ kind: "error", key: "filing:tooManyTags" });
    else toast({ kind: "error", key: `errors.${code}` });
  });
  many.on("archive.failed", ({ code }) => toast({ kind: "error", key: `errors.${code}` }));
  many.on("rows.placed", ({ ids, placing: { folderId } }) => {
    if (ids.length === 0 || folderId === undefined) return;
    const name = selectFolders(list.getSnapshot()).find(({ id }) => id === folderId)?.name;
    if (name === undefined) toast({ kind: "success", key: "filing:movedOut" });
    else toast({ kind: "success", key: "filing:moved", values: { name } });
  });
  many.start();
  return {
    list,
    bulk: many,
    close: () => {
      list.stop();
      many.stop();
    },
  };
}
