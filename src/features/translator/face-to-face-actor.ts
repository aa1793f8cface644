import { createActor, fromPromise } from "xstate";
import { nearestInterfaceLanguage } from "#contract/interface-languages.ts";
import { type FaceToFaceActor, type FaceToFaceEvent, faceToFaceMachine } from "#machines/translator/face-to-face.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { i18n } from "#src/i18n/index.ts";
import type { ChoicesStore } from "./choices.ts";

/** A phone, in portrait or landscape. */
const phone = "(width < 600px), (height < 500px) and (pointer: coarse)";

/** The interface language closest to the language of the person opposite. */
const textsOpposite = ({ get }: ChoicesStore): string => nearestInterfaceLanguage([get().sides[1]]);

/** Starts in the last used state; the first time, open on a phone. The caller stops the actor. */
export function createFaceToFace(choices: ChoicesStore): FaceToFaceActor {
  const machine = faceToFaceMachine.provide({
    actors: {
      loadTexts: fromPromise(({ input, signal }) => loadTextsOf(input.texts, signal)),
      wakeUps: createWakeUps<FaceToFaceEvent>(),
    },
    actions: { rememberChoice: (_, { isOpen }) => choices.set({ opensFaceToFace: isOpen }) },
  });
  const isOpen = choices.get().opensFaceToFace ?? matchMedia(phone).matches;
  const actor = createActor(machine, { ...inspected(), input: { isOpen, texts: textsOpposite(choices) } });
  choices.subscribe(() => actor.send({ type: "language.changed", texts: textsOpposite(choices) }));
  return actor.start();
}

/**
 * Loads only the translator's texts, because nothing else appears in this language.
 * @throws when they can't be loaded
 */
async function loadTextsOf(language: string, signal: AbortSignal): Promise<void> {
  if (i18n.hasResourceBundle(language, "translator")) return;
  const answer = await fetch(`/locales/${language}/translator.json`, { signal });
  if (!answer.ok) throw new Error(`No texts in ${language}: ${answer.status}`);
  i18n.addResourceBundle(language, "translator", await answer.json());
}
