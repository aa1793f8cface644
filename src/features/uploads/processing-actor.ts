import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import { type ProcessingEvent, processingMachine } from "#machines/uploads/processing.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { askUsage } from "#src/features/subscription/usage.ts";
import { followTranscription } from "#src/features/transcriptions/event-stream.ts";

export type Processing = ActorRefFrom<typeof processingMachine>;

const machine = processingMachine.provide({
  actors: {
    load: fromPromise(({ input, signal }) => transcriptionsApi.get(input.id, signal)),
    reprocess: fromPromise(({ input, signal }) => transcriptionsApi.update(input.id, { retry: true }, signal)),
    updates: fromCallback(({ input, sendBack }) =>
      followTranscription(input.id, (event) => sendBack({ type: "transcription.updated", ...event })),
    ),
    wakeUps: createWakeUps<ProcessingEvent>(),
  },
});

let open: { id: string; actor: Processing } | undefined;

/** Follows the transcription of the open or loading page, one at a time. */
export function openProcessing(id: string): Processing {
  if (open?.id === id) return open.actor;
  leaveProcessing();
  askUsage();
  open = { id, actor: createActor(machine, { ...inspected(), input: { id } }).start() };
  return open.actor;
}

export function leaveProcessing(): void {
  open?.actor.stop();
  open = undefined;
}
