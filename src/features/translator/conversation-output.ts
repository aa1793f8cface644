import { type ActorRefFrom, createActor, fromPromise, waitFor } from "xstate";
import { outputMachine } from "#machines/transcription/output.ts";
import { selectIsSending, selectTranscriptionId } from "#machines/translator/conversation.ts";
import { downloadFile } from "#src/browser/download.ts";
import { inspected } from "#src/browser/inspection.ts";
import { toast } from "#src/browser/toasts.ts";
import { exportFailureKey } from "#src/features/exports/failure.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { i18n } from "#src/i18n/index.ts";
import type { Conversation } from "./conversation-actor.ts";

export type Output = ActorRefFrom<typeof outputMachine>;

/** Exports a conversation as a file or to the clipboard. */
export function createOutput(conversation: Conversation): Output {
  const machine = outputMachine.provide({
    actors: {
      exportFile: fromPromise(async ({ input, signal }) => {
        // Waits for pending changes, because the server writes the file and must have all visible turns.
        const snapshot = await waitFor(conversation.actor, (now) => !selectIsSending(now), { signal });
        const wanted = { ...input, language: i18n.language };
        const { file, name } = await transcriptionsApi.exportFile(selectTranscriptionId(snapshot) ?? "", wanted, signal);
        downloadFile(file, name);
      }),
      copyText: fromPromise(({ input }) => navigator.clipboard.writeText(input.text)),
    },
  });
  const actor = createActor(machine, inspected());
  actor.on("text.copied", () => toast({ kind: "success", key: "toast.copied" }));
  actor.on("export.failed", ({ code }) => toast({ kind: "error", key: exportFailureKey(code) }));
  actor.on("copy.failed", () => toast({ kind: "error", key: "toast.copyFailed" }));
  return actor.start();
}
