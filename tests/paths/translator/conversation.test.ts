import { createActor } from "xstate";
import type { Transcription } from "#contract/index.ts";
import {
  type ConversationEvent,
  conversationMachine,
  type SentNext,
  selectConversationId,
  selectIsStuck,
  selectSendFailure,
  selectTranscriptionId,
} from "#machines/translator/conversation.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const transcription: Transcription = {
  id: "t1",
  title: "",
  text: "",
  translatedText: "",
  sourceLanguage: "en",
  targetLanguage: "es",
  date: "2026-05-01T10:00:00Z",
  status: "completed",
  origin: "conversation",
  durationSeconds: null,
  hasAudio: false,
  progress: null,
  error: null,
  segments: [],
  fileName: null,
  engine: null,
};

function prepare(stage: Stage) {
  const load = stage.asking<Transcription, { transcriptionId: string }>();
  const sendNext = stage.asking<SentNext>();
  const wakeUps = stage.callback<ConversationEvent>();
  let counts = { dropped: 0, wanted: 0, deleted: 0, confirmed: 0 };
  const machine = conversationMachine.provide({
    actors: { load: load.logic, sendNext: sendNext.logic, wakeUps: wakeUps.logic },
    actions: {
      dropOldest: () => {
        counts.dropped += 1;
      },
    },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    counts = { dropped: 0, wanted: 0, deleted: 0, confirmed: 0 };
    const input = { id: "c1", transcriptionId: start === "it was open" ? "t1" : null };
    const actor = createActor(machine, { clock, inspect, input });
    actor.on("turn.deleted", () => {
      counts.deleted += 1;
    });
    return { actor, load, sendNext, wakeUps, counts };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const discard = sent<ConversationEvent>({ type: "discard.requested" });
const confirm = sent<ConversationEvent>({ type: "deletion.confirmed" });
const next = ({ sendNext }: Rig) => sendNext;

walkTests<Rig>({
  machine: conversationMachine,
  prepare,
  starts: ["it is new", "it was open"],
  moves: [
    sent({ type: "change.persisted" }),
    sent({ type: "change.sent", conversationId: "c1", transcription }),
    sent({ type: "renew.requested", id: "c2" }),
    sent({ type: "retry.requested" }),
    {
      ...discard,
      happen: (rig, clock) => {
        rig.counts.wanted += 1;
        discard.happen(rig, clock);
      },
    },
    sent({ type: "deletion.requested", turnId: "a" }),
    sent({ type: "deletion.cancelled" }),
    {
      ...confirm,
      happen: (rig, clock) => {
        rig.counts.confirmed += 1;
        confirm.happen(rig, clock);
      },
    },
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
    answered(
      "it is read",
      ({ load }: Rig) => load,
      () => transcription,
    ),
    refused("it was deleted", ({ load }: Rig) => load, failure("notFound")),
    refused("it can't be read", ({ load }: Rig) => load, failure("network")),
    answered("nothing waits", next, () => ({ conversationId: "", transcription: null, more: false })),
    answered("a change is sent", next, () => ({ conversationId: "c1", transcription, more: false })),
    answered("a change is sent, and there is more", next, () => ({ conversationId: "c1", transcription, more: true })),
    refused("nobody answers", next, failure("network")),
    refused("the server does not take it", next, failure("badRequest")),
    untilNextTimer,
  ],
  situation: (rig) => {
    const { attempts, code } = snapshot(rig).context;
    return [selectConversationId(snapshot(rig)), selectTranscriptionId(snapshot(rig)), Math.min(attempts, 2), code];
  },
  rules: {
    "changes are sent one at a time": ({ sendNext }) => sendNext.open().length <= 1,
    "what waits is tried again within 30 s": (rig, clock) =>
      !snapshot(rig).matches({ sending: "waiting" }) || (clock.untilNext() ?? Number.NaN) <= 30_000,
    "nothing is thrown away but on request": ({ counts }) => counts.dropped <= counts.wanted,
    "what the server does not take has a reason": (rig) =>
      !selectIsStuck(snapshot(rig)) || selectSendFailure(snapshot(rig)) !== null,
    "another conversation shows nothing of the one before": (rig) =>
      selectConversationId(snapshot(rig)) !== "c2" || selectTranscriptionId(snapshot(rig)) === null,
    "a turn is deleted only after it was asked, and once": ({ counts }) => counts.deleted === counts.confirmed,
    "it is read once at a time": ({ load }) => load.open().length <= 1,
  },
});
