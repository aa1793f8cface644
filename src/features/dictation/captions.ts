import { createActor, fromPromise, waitFor } from "xstate";
import type { Segment } from "#contract/index.ts";
import {
  type LiveText,
  type LiveTranslationActor,
  liveTranslationMachine,
  selectDraft,
  selectIsSettled,
  selectTexts,
} from "#machines/dictation/live-translation/machine.ts";
import type { CaptionLine, Captions, CaptionsState, Interim, Translate } from "#src/audio/captions.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createStore } from "#src/browser/store.ts";

const empty: CaptionsState = { lines: [], partial: null };

/** The recognized text of a recording. With a translation, a machine translates the text as it changes. */
export function createCaptions(): Captions {
  const store = createStore(empty);
  let segments: readonly Segment[] = [];
  let partial: Interim | null = null;
  let translation: LiveTranslationActor | undefined;

  const show = () => {
    const snapshot = translation?.getSnapshot();
    const texts = snapshot === undefined ? [] : selectTexts(snapshot);
    const draft = snapshot === undefined ? "" : selectDraft(snapshot);
    store.set({
      lines: segments.map((segment, index) => lineOf(segment, texts[index])),
      partial: partial === null ? null : { ...partial, ...(draft !== "" && { translation: draft }) },
    });
  };
  const setSegments = (now: readonly Segment[]) => {
    segments = now;
    partial = null;
    if (translation === undefined) return show();
    const texts = now.map(({ text, translation: known }) => ({ text, ...(known !== undefined && { translation: known }) }));
    translation.send({ type: "texts.changed", texts });
  };
  const stop = () => {
    translation?.stop();
    translation = undefined;
    // The captions on the screen stay.
    segments = store.get().lines;
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    begin: (translate) => {
      stop();
      segments = [];
      partial = null;
      translation = translate && startTranslation(translate, show);
      store.set(empty);
    },
    stop,
    replace: setSegments,
    setPartial: (interim) => {
      const { text } = interim;
      partial = text === "" ? null : interim;
      if (translation === undefined) show();
      else translation.send({ type: "interim.recognized", text });
    },
    addFinal: (index, segment) => setSegments([...segments.slice(0, index), segment]),
    retry: () => translation?.send({ type: "retry.requested" }),
    translated: async () => {
      if (translation === undefined) return;
      await settled(translation);
      translation?.send({ type: "retry.requested" });
      if (translation !== undefined) await settled(translation);
    },
  };
}

/** @param onChange called after each event */
function startTranslation(translate: Translate, onChange: () => void): LiveTranslationActor {
  const machine = liveTranslationMachine.provide({
    actors: { translate: fromPromise(({ input, signal }) => translate(input.text, signal)) },
  });
  const actor = createActor(machine, inspected());
  actor.start();
  actor.subscribe(onChange);
  return actor;
}

/** Resolves when every text is translated or has failed, or when another recording begins. */
async function settled(translation: LiveTranslationActor): Promise<void> {
  await waitFor(translation, selectIsSettled).catch(() => undefined);
}

function lineOf({ translation: known, ...segment }: Segment, text: LiveText | undefined): CaptionLine {
  if (text === undefined)
    return { ...segment, ...(known !== undefined && { translation: known }), translating: known === undefined ? "none" : "done" };
  const { status, translation, draft } = text;
  return {
    ...segment,
    translating: status,
    ...(translation !== undefined && { translation }),
    ...(draft !== undefined && { draft }),
  };
}
