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
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const at = "2026-03-01T12:00:00.000Z";
const anna = { id: "anna", name: "Anna", recordings: 1, createdAt: at, heardAt: at, current: true };
const off: VoiceProfilesAnswer = { enabled: false, available: true, profiles: [] };
const on: VoiceProfilesAnswer = { enabled: true, available: true, profiles: [anna] };
const deleting = ["switchOff", "remove", "removeAll"];

/** What the server has after a change. */
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

function prepare(stage: Stage) {
  const load = stage.asking<VoiceProfilesAnswer>();
  const perform = stage.asking<VoiceProfilesAnswer, VoiceProfileChange>();
  const wakeUps = stage.callback<LoadingEvent, EventObject>();
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
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const performing = ({ perform }: Rig) => perform;
const wants = (change: VoiceProfileChange) => ({
  ...sent<VoiceProfilesEvent>({ type: "change.requested", change }, `${change.kind} is wanted`),
  happen: ({ actor, confirmed }: Rig) => {
    confirmed.last = false;
    actor.send({ type: "change.requested", change });
  },
});

walkTests<Rig>({
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
      happen: ({ actor, confirmed }: Rig) => {
        confirmed.last = true;
        actor.send({ type: "change.confirmed" });
      },
    },
    sent({ type: "change.dismissed" }),
    ...loadingMoves<Rig, VoiceProfilesAnswer>(({ server }) => server.now),
    answered("it is changed", performing, (rig, change) => {
      rig.server.now = change === undefined ? rig.server.now : after(change, rig.server.now);
      return rig.server.now;
    }),
    refused("it can't be changed", performing, failure("network")),
    refused("it was deleted elsewhere", performing, failure("notFound")),
  ],
  situation: (rig) => [
    snapshot(rig).context.change?.kind,
    snapshot(rig).context.known?.enabled,
    selectProfiles(snapshot(rig)).map(({ name }) => name),
    snapshot(rig).context.failure,
    rig.server.now.profiles.length,
    rig.confirmed.last,
  ],
  rules: {
    "one call at a time": ({ load, perform }) => load.open().length + perform.open().length <= 1,
    "nothing is deleted that was not confirmed": ({ perform, confirmed }) =>
      perform.open().every(({ input }) => input === undefined || !deleting.includes(input.kind) || confirmed.last),
    "what is asked is not made yet": (rig) => selectAsked(snapshot(rig)) === null || rig.perform.open().length === 0,
    "what is being made is said": (rig) => (selectChanging(snapshot(rig)) !== null) === (rig.perform.open().length === 1),
    "nothing stays to be confirmed or made": (rig) =>
      !snapshot(rig).matches({ open: "idle" }) || snapshot(rig).context.change === null,
    "a failure is not said while it is tried again": (rig) =>
      rig.perform.open().length === 0 || snapshot(rig).context.failure === null,
    "a server without the call is left alone": (rig) =>
      !selectIsUseless(snapshot(rig)) || rig.load.open().length + rig.perform.open().length === 0,
  },
});
