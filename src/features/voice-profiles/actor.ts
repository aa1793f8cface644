import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { VoiceProfilesAnswer } from "#contract/index.ts";
import type { VoiceProfileChange } from "#machines/voice-profiles/events.ts";
import { voiceProfilesMachine } from "#machines/voice-profiles/machine.ts";
import { createVoiceProfilesApi } from "#src/api/voice-profiles.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { toast } from "#src/browser/toasts.ts";
import { call } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

const api = createVoiceProfilesApi(call);

function perform(change: VoiceProfileChange, signal: AbortSignal): Promise<VoiceProfilesAnswer> {
  switch (change.kind) {
    case "switchOn":
      return api.turn(true, signal);
    case "switchOff":
      return api.turn(false, signal);
    case "rename":
      return api.rename(change.id, change.name, signal);
    case "remove":
      return api.remove(change.id, signal);
    case "removeAll":
      return api.removeAll(signal);
  }
}

const machine = voiceProfilesMachine.provide({
  actors: {
    load: fromPromise(({ signal }) => api.get(signal)),
    perform: fromPromise(({ input, signal }) => perform(input, signal)),
    wakeUps: createWakeUps(),
  },
});
export type VoiceProfiles = ActorRefFrom<typeof machine>;

function create(): VoiceProfiles {
  const actor = createActor(machine, inspected());
  actor.on("change.done", ({ change }) => toast({ kind: "success", key: `voice-profiles:done.${change.kind}` }));
  return actor.start();
}

const opened = perOwner<VoiceProfiles>({ end: (actor) => actor.stop() });

/** Opens the signed-in user's voice profiles. Returns the same actor until the user leaves the page. */
export const enterVoiceProfiles = (): VoiceProfiles => opened.open(create);

/** Called when the user leaves the page. */
export const leaveVoiceProfiles = opened.close;
