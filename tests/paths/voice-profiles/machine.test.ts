import { createActor, type EventObject } from "xstate";
import type { VoiceProfilesAnswer } from "#contract/index.ts";
import type { LoadingEvent } from "#machines/collection/loading.ts";
import type { VoiceProfileChange, VoiceProfilesEvent } from "#machines/voice-profiles/events.ts";
import {
  selectAsked,
  selectChanging,
  selectIsUseless,
  selectProfiles,
  voiceProfilesMachine,
} from "#machines/voice-profiles/machine.ts";
import { loadingMoves } from "#tests/paths/harness-collection.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const at = "2026-03-01T12:00:00.000Z";
const anna = { id: "anna", name: "Anna", recordings: 1, createdAt: at, heardAt: at, current: true };
const off: VoiceProfilesAnswer = { enabled: false, available: true, profiles: [] };
const on: VoiceProfilesAnswer = { enabled: true, available: true, profiles: [anna] };
const deleting = ["switchOff", "remove", "removeAll"];

/** The server's data after a change. */
function after(change: VoiceProfileChange, before: VoiceProfilesAnswer): VoiceProfilesAnswer {
  switch (change.kind) {
    case "switchOn":
      return on;
    case "switchOff":
      return off;
    case "rename":
      return { ...before, profiles: before.profiles.map((profile) => ({ ...profile, name: change.name })) };
    case "remove":
    case "removeAll":
      return { ...before, profiles: [] };
  }
}

function prepare(stubs: Stubs) {
  const load = stubs.asking<VoiceProfilesAnswer>();
  const perform = stubs.asking<VoiceProfilesAnswer, VoiceProfileChange>();
  const wakeUps = stubs.callback<LoadingEvent, EventObject>();
  const machine = voiceProfilesMachine.provide({
    actors: { load: load.logic, perform: perform.logic, wakeUps: wakeUps.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    const done: VoiceProfileChange[] = [];
    actor.on("change.done", ({ change }) => done.push(change));
    return { actor, load, perform, wakeUps, done, server: { now: on }, confirmed: { last: false } };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const performing = ({ perform }: Harness) => perform;
const wants = (change: VoiceProfileChange) => ({
  ...sent<VoiceProfilesEvent>({ type: "change.requested", change }, `${change.kind} is wanted`),
  happen: ({ actor, confirmed }: Harness) => {
    confirmed.last = false;
    actor.send({ type: "change.requested", change });
  },
});

walkTests<Harness>({
  machine: voiceProfilesMachine,
  prepare,
  moves: [
    wants({ kind: "switchOn" }),
    wants({ kind: "switchOff" }),
    wants({ kind: "rename", id: "anna", name: "Hanna" }),
    wants({ kind: "remove", id: "anna" }),
    wants({ kind: "removeAll" }),
    {
      ...sent<VoiceProfilesEvent>({ type: "change.confirmed" }),
      happen: ({ actor, confirmed }: Harness) => {
        confirmed.last = true;
        actor.send({ type: "change.confirmed" });
      },
    },
    sent({ type: "change.dismissed" }),
    ...loadingMoves<Harness, VoiceProfilesAnswer>(({ server }) => server.now),
    answered("it is changed", performing, (harness, change) => {
      harness.server.now = change === undefined ? harness.server.now : after(change, harness.server.now);
      return harness.server.now;
    }),
    refused("it can't be changed", performing, failure("network")),
    refused("it was deleted elsewhere", performing, failure("notFound")),
  ],
  situation: (harness) => [
    snapshot(harness).context.change?.kind,
    snapshot(harness).context.known?.enabled,
    selectProfiles(snapshot(harness)).map(({ name }) => name),
    snapshot(harness).context.failure,
    harness.server.now.profiles.length,
    harness.confirmed.last,
  ],
  rules: {
    "one call at a time": ({ load, perform }) => load.open().length + perform.open().length <= 1,
    "nothing is deleted that was not confirmed": ({ perform, confirmed }) =>
      perform.open().every(({ input }) => input === undefined || !deleting.includes(input.kind) || confirmed.last),
    "what is asked is not made yet": (harness) => selectAsked(snapshot(harness)) === null || harness.perform.open().length === 0,
    "what is being made is said": (harness) =>
      (selectChanging(snapshot(harness)) !== null) === (harness.perform.open().length === 1),
    "nothing stays to be confirmed or made": (harness) =>
      !snapshot(harness).matches({ open: "idle" }) || snapshot(harness).context.change === null,
    "a failure is not said while it is tried again": (harness) =>
      harness.perform.open().length === 0 || snapshot(harness).context.failure === null,
    "a server without the call is left alone": (harness) =>
      !selectIsUseless(snapshot(harness)) || harness.load.open().length + harness.perform.open().length === 0,
  },
});
