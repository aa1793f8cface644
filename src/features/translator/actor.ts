import { createActor, fromCallback, fromPromise } from "xstate";
import type { EnginesAnswer } from "#contract/index.ts";
import { selectIsCapturing } from "#machines/dictation/selectors.ts";
import { selectIsAtLimit } from "#machines/subscription/usage.ts";
import type { TranslatorEvent, TurnCommand } from "#machines/translator/events.ts";
import type { FaceToFaceActor } from "#machines/translator/face-to-face.ts";
import { translatorMachine } from "#machines/translator/machine.ts";
import { selectIsUnderWay, type TranslatorActor } from "#machines/translator/selectors.ts";
import type { Speaker } from "#src/audio/speaker.ts";
import { inspected } from "#src/browser/inspection.ts";
import { microphones } from "#src/features/dictation/microphones.ts";
import { createRecorder, type Recorder } from "#src/features/dictation/recorder-actor.ts";
import { loadEngines } from "#src/features/engines/actor.ts";
import { languageList } from "#src/features/engines/languages.ts";
import { createVoices } from "#src/features/engines/voices.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { openUsage } from "#src/features/subscription/usage.ts";
import { i18n } from "#src/i18n/index.ts";
import { type ChoicesStore, createChoices } from "./choices.ts";
import type { Conversation } from "./conversation-actor.ts";
import { createOutput, type Output } from "./conversation-output.ts";
import { createFaceToFace } from "./face-to-face-actor.ts";
import { createPushToTalk, type PushToTalk } from "./push-to-talk.ts";
import { type SideLanguage, sideLanguages } from "./side-languages.ts";
import { createTurnService, type TurnService } from "./turn-service.ts";
import { createTypedDrafts, type TypedDrafts } from "./typed-drafts.ts";

/** The translator for its page. */
export interface Translator {
  actor: TranslatorActor;
  faceToFace: FaceToFaceActor;
  pushToTalk: PushToTalk;
  /** The recorder of the conversation's turns. */
  recorder: Recorder;
  conversation: Conversation;
  choices: ChoicesStore;
  speaker: Speaker;
  /** Subscribes to changes of the available voices. */
  voices: { subscribe(listener: () => void): () => void };
  drafts: TypedDrafts;
  output: Output;
  engines: EnginesAnswer;
  languages: readonly SideLanguage[];
}

// After signing out, the same user may resume. Another user may not.
const translators = perOwner<Translator>({
  end: ({ actor, faceToFace, pushToTalk, recorder, conversation, output }) => {
    pushToTalk.stop();
    actor.stop();
    faceToFace.stop();
    output.stop();
    recorder.stop();
    conversation.stop();
  },
  signedOut: () => {},
});

/**
 * The page's translator, one for each user. It outlives the route: a turn is finished and saved while the user is on
 * another page.
 */
export async function openTranslator(signal: AbortSignal): Promise<Translator> {
  const [engines, list] = await Promise.all([loadEngines(), languageList(signal)]);
  const known = translators.mine();
  if (known !== undefined && !isOutdated(known, engines)) return known;
  return translators.replace((ownerId) => createTranslator(ownerId ?? "", engines, sideLanguages(engines, list)));
}

/** Whether the available engines have changed, and nothing is running that a restart would interrupt. */
function isOutdated({ actor, engines }: Translator, now: EnginesAnswer): boolean {
  return JSON.stringify(engines) !== JSON.stringify(now) && !selectIsUnderWay(actor.getSnapshot());
}

/** Called when the user leaves the route. Ends and saves the current recording, and stops speech output. */
export function leaveTranslator(): void {
  const translator = translators.opened();
  translator?.actor.send({ type: "page.left" });
  translator?.conversation.actor.send({ type: "deletion.cancelled" });
  translator?.recorder.captionsWindow.actor.send({ type: "close.requested" });
}

function createTranslator(ownerId: string, engines: EnginesAnswer, languages: readonly SideLanguage[]): Translator {
  const choices = createChoices(engines, languages, i18n.language);
  const { speaker, voices } = createVoices(engines);
  const service = createTurnService({ ownerId, engines, choices, speaker });
  const recorder = createRecorder(service.recorder);
  const drafts = createTypedDrafts(ownerId);
  const faceToFace = createFaceToFace(choices);
  const actor = createActor(provide(service, recorder, drafts), inspected());
  const pushToTalk = createPushToTalk({ actor, speaker, choices, engines }, faceToFace);
  const { conversation } = service;
  const output = createOutput(conversation);
  choices.subscribe(() => conversation.setLanguages(service.languages()));
  actor.start();
  const parts = { recorder, choices, speaker, voices, drafts, engines, languages, conversation, output };
  return { actor, faceToFace, pushToTalk, ...parts };
}

function provide(service: TurnService, recorder: Recorder, drafts: TypedDrafts) {
  return translatorMachine.provide({
    actors: {
      recorder: fromCallback(({ receive, sendBack }) => {
        const leave = followRecorder(recorder, service, (event) => sendBack(event));
        receive((command) => obey(service, recorder, command));
        return leave;
      }),
      usage: fromCallback(({ sendBack }) => {
        const usage = openUsage();
        let last: boolean | undefined;
        // Compared separately, because the server counts more precisely and may have refused in between.
        const report = () => {
          const isUsedUp = selectIsAtLimit(usage.getSnapshot());
          if (isUsedUp !== last) sendBack({ type: "usage.changed", isUsedUp });
          last = isUsedUp;
        };
        report();
        const { unsubscribe } = usage.subscribe(report);
        return unsubscribe;
      }),
      compose: fromPromise(async ({ input, signal }) => {
        await service.compose(input, signal);
        if (drafts.get(input.side).trim() === input.text) drafts.set(input.side, "");
        return { isSpoken: service.isToBeSpoken() };
      }),
      speak: fromPromise(({ input, signal }) => service.speak(input.turnId, signal)),
      replay: fromPromise(({ input, signal }) => service.replay(input.turnId, signal)),
    },
  });
}

/** Forwards the recorder's events. @returns the unsubscribe function */
function followRecorder({ actor }: Recorder, service: TurnService, report: (event: TranslatorEvent) => void): () => void {
  const emitted = actor.on("*", (event) =>
    report(event.type === "recording.saved" ? { ...event, isSpoken: service.isToBeSpoken() } : event),
  );
  let wasCapturing = false;
  const snapshots = actor.subscribe((snapshot) => {
    const isCapturing = selectIsCapturing(snapshot);
    // With permission, the browser reveals the labels of the microphones.
    if (isCapturing && !wasCapturing) void microphones.refresh();
    wasCapturing = isCapturing;
  });
  return () => {
    emitted.unsubscribe();
    snapshots.unsubscribe();
  };
}

function obey(service: TurnService, { actor }: Recorder, command: TurnCommand): void {
  if (command.type === "start.requested") actor.send({ type: "start.requested", ...service.spoken(command.side) });
  else actor.send(command);
}
