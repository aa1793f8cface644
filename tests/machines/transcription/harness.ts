import { createActor, SimulatedClock } from "xstate";
import type { Transcription } from "#contract/index.ts";
import type { Changes, PersistedDraft } from "#machines/transcription/changes.ts";
import { type TranscriptionEmitted, type TranscriptionEvent, transcriptionMachine } from "#machines/transcription/machine.ts";
import type { Spans } from "#machines/transcription/spans.ts";
import type { EventStreamEvent } from "#machines/transcriptions/event-stream.ts";
import { answering, stopsAfterTest, talking, transcription } from "#tests/machines/harness.ts";

export function setUp(draft: PersistedDraft | null = null) {
  const load = answering<Transcription, { id: string }>();
  const save = answering<Transcription, { id: string; changes: Changes; based: Changes; spans: Spans }>();
  const updates = talking<TranscriptionEvent, TranscriptionEvent, { id: string }>();
  const wakeUps = talking<EventStreamEvent, EventStreamEvent>();
  const clock = new SimulatedClock();
  const machine = transcriptionMachine.provide({
    actors: {
      load: load.logic,
      save: save.logic,
      updates: updates.logic,
      wakeUps: wakeUps.logic,
    },
  });
  const actor = stopsAfterTest(createActor(machine, { clock, input: { id: "t", draft } }));
  const emitted: TranscriptionEmitted[] = [];
  actor.on("*", (event) => emitted.push(event));
  actor.start();
  return {
    load,
    save,
    updates,
    wakeUps,
    clock,
    emitted,
    send: actor.send.bind(actor),
    get: <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot()),
    state: () => actor.getSnapshot().value,
    /** Whether all is saved, being saved, or not saved. */
    changes: () => {
      const { value } = actor.getSnapshot();
      return typeof value === "object" && "open" in value ? value.open : value;
    },
    sent: () => save.inputs().map(({ changes }) => changes),
    stop: () => actor.stop(),
  };
}

export async function opened(draft: PersistedDraft | null = null, loaded: Transcription = transcription()) {
  const page = setUp(draft);
  await page.load.last().resolve(loaded);
  return page;
}
