import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { ExportFormat } from "#contract/index.ts";
import { outputMachine } from "#machines/transcription/output.ts";
import { downloadFile } from "#src/browser/download.ts";
import { inspected } from "#src/browser/inspection.ts";
import { toast } from "#src/browser/toasts.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { i18n } from "#src/i18n/index.ts";

export type Output = ActorRefFrom<typeof outputMachine>;

/** Exports a conversation as a file or to the clipboard. @param idOf its transcription; null while the server does not have it */
export function createOutput(idOf: () => string | null): Output {
  const machine = outputMachine.provide({
    actors: {
      exportFile: fromPromise<void, { format: ExportFormat }>(async ({ input, signal }) => {
        const { format } = input;
        const { file, name } = await transcriptionsApi.exportFile(idOf() ?? "", { format, language: i18n.language }, signal);
        downloadFile(file, name);
      }),
      copyText: fromPromise<void, { text: string }>(({ input }) => navigator.clipboard.writeText(input.text)),
    },
  });
  const actor = createActor(machine, inspected());
  actor.on("text.copied", () => toast({ kind: "success", key: "toast.copied" }));
  actor.on("export.failed", () => toast({ kind: "error", key: "toast.exportFailed" }));
  actor.on("copy.failed", () => toast({ kind: "error", key: "toast.copyFailed" }));
  return actor.start();
}
