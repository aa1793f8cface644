import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { outputMachine } from "../../machines/output.ts";
import type { ExportFormat } from "../api/contract/index.ts";
import { i18n } from "../i18n/index.ts";
import { transcriptionsApi } from "./api-resources.ts";
import { inspected } from "./inspection.ts";
import { toast } from "./toasts.ts";

export type Output = ActorRefFrom<typeof outputMachine>;

/** Takes a conversation along, as a file or in the clipboard. @param idOf its transcription; null while the server has nothing of it */
export function createOutput(idOf: () => string | null): Output {
  let last = "";
  const machine = outputMachine.provide({
    actors: {
      exportFile: fromPromise<void, { format: ExportFormat }>(async ({ input, signal }) => {
        const { format } = input;
        const { file, name } = await transcriptionsApi.exportFile(idOf() ?? "", { format, language: i18n.language }, signal);
        const link = document.createElement("a");
        // Safari still reads from the last one for a while.
        URL.revokeObjectURL(last);
        last = URL.createObjectURL(file);
        Object.assign(link, { href: last, download: name });
        link.click();
      }),
      copyText: fromPromise<void, { text: string }>(({ input }) => navigator.clipboard.writeText(input.text)),
    },
  });
  const actor = createActor(machine, inspected());
  actor.on("copied", () => toast({ kind: "success", key: "toast.copied" }));
  actor.on("export.failed", () => toast({ kind: "error", key: "toast.exportFailed" }));
  actor.on("copy.failed", () => toast({ kind: "error", key: "toast.copyFailed" }));
  return actor.start();
}
