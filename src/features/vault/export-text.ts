import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { Transcription } from "#contract/index.ts";
import { usualLook } from "#contract/index.ts";
import { type Exporting, outputMachine } from "#machines/transcription/output.ts";
import { downloadFile } from "#src/browser/download.ts";
import { inspected } from "#src/browser/inspection.ts";
import { toast } from "#src/browser/toasts.ts";
import { fileNameOf } from "./meta.ts";

/** Creates files of a text in the page, because the server can't read the text. @param name returns the current name */
export function createTextOutput(text: () => Transcription | null, name: () => string): ActorRefFrom<typeof outputMachine> {
  const machine = outputMachine.provide({
    actors: {
      exportFile: fromPromise(async ({ input }) => {
        const whole = text();
        if (whole !== null) await saveAs({ ...whole, title: name() }, input);
      }),
    },
  });
  const actor = createActor(machine, inspected());
  actor.on("export.failed", () => toast({ kind: "error", key: "toast.exportFailed" }));
  return actor.start();
}

/** Loads the code that creates files only on demand. */
async function saveAs(whole: Transcription, { format, content, look = usualLook }: Exporting): Promise<void> {
  const { exportLabels, isTextFormat, textExport } = await import("./text-formats.ts");
  if (!isTextFormat(format)) throw new Error(`The page makes no ${format}.`);
  const { body, type } = textExport(whole, { format, content, look, labels: await exportLabels(), notes: [] });
  downloadFile(new Blob([body], { type }), `${fileNameOf({ name: whole.title, type: "" })}.${format}`);
}
