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
import type { Stubs } from "#tests/paths/harness-stubs.ts";
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

function prepare(stubs: Stubs) {
  const load = stubs.asking<Transcription, { transcriptionId: string }>();
  const sendNext = stubs.asking<SentNext>();
  const wakeUps = stubs.callback<ConversationEvent>();
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const discard = sent<ConversationEvent>({ type: "discard.requested" });
const confirm = sent<ConversationEvent>({ type: "deletion.confirmed" });
const next = ({ sendNext }: Harness) => sendNext;

walkTests<Harness>({
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
      happen: (harness, clock) => {
        harness.counts.wanted += 1;
        discard.happen(harness, clock);
      },
    },
    sent({ type: "deletion.requested", turnId: "a" }),
    sent({ type: "deletion.cancelled" }),
    {
      ...confirm,
      happen: (harness, clock) => {
        harness.counts.confirmed += 1;
        confirm.happen(harness, clock);
      },
    },
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
    answered(
      "it is read",
      ({ load }: Harness) => load,
      () => transcription,
    ),
    refused("it was deleted", ({ load }: Harness) => load, failure("notFound")),
    refused("it can't be read", ({ load }: Harness) => load, failure("network")),
    answered("nothing waits", next, () => ({ conversationId: "", transcription: null, more: false })),
    answered("a change is sent", next, () => ({ conversationId: "c1", transcription, more: false })),
    answered("a change is sent, and there is more", next, () => ({ conversationId: "c1", transcription, more: true })),
    refused("nobody answers", next, failure("network")),
    refused("the server does not take it", next, failure("badRequest")),
    untilNextTimer,
  ],
  situation: (harness) => {
    const { attempts, code } = snapshot(harness).context;
    return [selectConversationId(snapshot(harness)), selectTranscriptionId(snapshot(harness)), Math.min(attempts, 2), code];
  },
  rules: {
    "changes are sent one at a time": ({ sendNext }) => sendNext.open().length <= 1,
    "what waits is tried again within 30 s": (harness, clock) =>
      !snapshot(harness).matches({ sending: "waiting" }) || (clock.untilNext() ?? Number.NaN) <= 30_000,
    "nothing is thrown away but on request": ({ counts }) => counts.dropped <= counts.wanted,
    "what the server does not take has a reason": (harness) =>
      !selectIsStuck(snapshot(harness)) || selectSendFailure(snapshot(harness)) !== null,
    "another conversation shows nothing of the one before": (harness) =>
      selectConversationId(snapshot(harness)) !== "c2" || selectTranscriptionId(snapshot(harness)) === null,
    "a turn is deleted only after it was asked, and once": ({ counts }) => counts.deleted === counts.confirmed,
    "it is read once at a time": ({ load }) => load.open().length <= 1,
  },
});
