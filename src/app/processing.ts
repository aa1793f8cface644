import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import { type ProcessingEvent, processingMachine } from "../../machines/processing.ts";
import type { Transcription } from "../api/contract/index.ts";
import { transcriptionsApi } from "./api-resources.ts";
import { followTranscription } from "./events.ts";
import { inspected } from "./inspection.ts";
import { createWakeUps } from "./page-events.ts";

export type Processing = ActorRefFrom<typeof processingMachine>;

const machine = processingMachine.provide({
  actors: {
    load: fromPromise<Transcription, { id: string }>(({ input, signal }) => transcriptionsApi.get(input.id, signal)),
    workAgain: fromPromise<Transcription, { id: string }>(({ input, signal }) =>
      transcriptionsApi.update(input.id, { retry: true }, signal),
    ),
    news: fromCallback<ProcessingEvent, { id: string }>(({ input, sendBack }) =>
      followTranscription(input.id, (event) => sendBack({ type: "transcription.updated", ...event })),
    ),
    wakeUps: createWakeUps<ProcessingEvent>(),
  },
});

let open: { id: string; actor: Processing } | undefined;

/** Follows the transcription of the page that is opened, or about to be; one at a time. */
export function openProcessing(id: string): Processing {
  if (open?.id === id) return open.actor;
  leaveProcessing();
  open = { id, actor: createActor(machine, { ...inspected(), input: { id } }).start() };
  return open.actor;
}

export function leaveProcessing(): void {
  open?.actor.stop();
  open = undefined;
}
