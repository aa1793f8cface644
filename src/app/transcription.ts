import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import { selectDraft, selectIsSaving, type TranscriptionEvent, transcriptionMachine } from "../../machines/transcription.ts";
import type { Changes } from "../../machines/transcription-changes.ts";
import type { ExportFormat, Transcription, TranscriptionUpdate } from "../api/contract/index.ts";
import { transcriptionsApi } from "./api-resources.ts";
import { deletions } from "./deletions.ts";
import { draftsOf } from "./drafts.ts";
import { followTranscription, wakeUps } from "./events.ts";
import { inspected } from "./inspection.ts";
import { createPlayer, type Player } from "./player.ts";
import { currentUserId, session } from "./session.ts";
import { toast } from "./toasts.ts";
import { openedTranscriptions } from "./transcriptions.ts";

export interface OpenTranscription {
  id: string;
  actor: ActorRefFrom<typeof transcriptionMachine>;
  player: Player;
}

function updateOf({ edits, ...others }: Changes): TranscriptionUpdate {
  const corrections = Object.entries(edits).map(([index, text]) => ({ index: Number(index), text }));
  return corrections.length === 0 ? others : { ...others, edits: corrections };
}

let lastDownload = "";

/** Hands a file to the person, as a link to it would. */
async function download(id: string, format: ExportFormat, signal: AbortSignal): Promise<void> {
  const { file, name } = await transcriptionsApi.exportFile(id, format, signal);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Safari still reads from the last one for a while.
  URL.revokeObjectURL(lastDownload);
  lastDownload = link.href;
}

const machine = transcriptionMachine.provide({
  actors: {
    load: fromPromise<Transcription, { id: string }>(({ input, signal }) => transcriptionsApi.get(input.id, signal)),
    save: fromPromise<Transcription, { id: string; changes: Changes }>(({ input, signal }) =>
      transcriptionsApi.update(input.id, updateOf(input.changes), signal),
    ),
    exportFile: fromPromise<void, { id: string; format: ExportFormat }>(({ input, signal }) =>
      download(input.id, input.format, signal),
    ),
    copyText: fromPromise<void, { text: string }>(({ input }) => navigator.clipboard.writeText(input.text)),
    news: fromCallback<TranscriptionEvent, { id: string }>(({ input, sendBack }) =>
      followTranscription(input.id, (event) => sendBack({ type: "transcription.updated", ...event })),
    ),
    wakeUps,
  },
});

function create(id: string): OpenTranscription {
  const drafts = draftsOf(currentUserId() ?? "", id);
  const actor = createActor(machine, { ...inspected(), input: { id, draft: drafts.read() } });
  actor.subscribe((snapshot) => drafts.keep(selectDraft(snapshot)));
  actor.on("changed", ({ transcription }) => openedTranscriptions()?.send({ type: "transcription.updated", transcription }));
  actor.on("copied", () => toast({ kind: "success", key: "toast.copied" }));
  actor.on("save.failed", () => toast({ kind: "error", key: "toast.updateFailed" }));
  actor.on("export.failed", () => toast({ kind: "error", key: "toast.exportFailed" }));
  actor.on("copy.failed", () => toast({ kind: "error", key: "toast.copyFailed" }));
  for (const type of ["translation.failed", "retry.failed"] as const)
    actor.on(type, ({ code }) => toast({ kind: "error", key: `errors.${code}` }));
  // What was deleted has no news: when it is back, or gone for good, it is looked at anew.
  const leave = deletions.follow((news) => {
    const about = news.type === "restored" ? news.transcription.id : news.type === "purged" ? news.id : undefined;
    if (about === id) actor.send({ type: "reload.requested" });
  });
  actor.subscribe({ complete: leave });
  return { id, actor: actor.start(), player: createPlayer(id) };
}

let open: (OpenTranscription & { owner: string | null }) | undefined;

/** The transcription of a page that is opened, or about to be; one at a time. Another person gets another one. */
export function openTranscription(id: string): OpenTranscription {
  const owner = currentUserId();
  if (open?.id === id && open.owner === owner) return open;
  closeTranscription();
  open = { owner, ...create(id) };
  return open;
}

/** Ends what belongs to the page, once what was typed is saved; if that fails it is kept in the browser. */
export function closeTranscription(): void {
  if (open === undefined) return;
  const { actor, player } = open;
  open = undefined;
  player.actor.stop();
  if (!selectIsSaving(actor.getSnapshot())) actor.stop();
  else
    actor.subscribe((snapshot) => {
      if (!selectIsSaving(snapshot)) actor.stop();
    });
}

// What somebody was reading goes with them.
session.subscribe(() => {
  if (open !== undefined && open.owner !== currentUserId()) closeTranscription();
});
