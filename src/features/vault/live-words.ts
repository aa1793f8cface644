import * as v from "valibot";
import type { Segment } from "#contract/index.ts";
import { createStore, type Store } from "#src/browser/store.ts";
import { stored } from "#src/browser/stored.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";
import type { DeviceStream } from "#src/features/device-models/recogniser.ts";
import { createCaptions } from "#src/features/dictation/captions.ts";

/** The words of a running recording, recognized on this device: in memory only, and in no machine. */
export function createLiveWords() {
  const captions = createCaptions();
  let stream: DeviceStream | undefined;
  let segments: Segment[] = [];
  const hide = () => {
    stream?.cancel();
    stream = undefined;
    captions.begin(undefined);
  };
  return {
    /** What is shown. */
    captions,
    begin: (onFailed: (code: string) => void) => {
      hide();
      segments = [];
      stream = deviceModels().english.recogniser.listen({
        onInterim: (text) => captions.setPartial({ text, start: segments.at(-1)?.end ?? 0 }),
        onFinal: (segment) => {
          captions.addFinal(segments.length, segment);
          segments.push(segment);
        },
        onFailed: (code) => {
          captions.setPartial({ text: "", start: 0 });
          onFailed(code);
        },
      });
    },
    /** @param pcm its memory is given away */
    write: (pcm: Uint8Array<ArrayBuffer>) => stream?.write(pcm),
    /** Waits for the rest. @returns whether there is a word. @throws DeviceFailure */
    end: async (): Promise<boolean> => {
      segments = (await stream?.end()) ?? segments;
      return segments.length > 0;
    },
    hide,
    /** What was recognized so far, for the last time. */
    take: (): readonly Segment[] => {
      hide();
      const all = segments;
      segments = [];
      return all;
    },
  };
}

const persisted = stored("vaultTranscribes", v.boolean());

/** Whether recordings are to be transcribed, in this browser. */
export function createTextWish(): Store<boolean> {
  const wish = createStore(persisted.read() ?? false);
  return {
    ...wish,
    set: (isWanted) => {
      wish.set(isWanted);
      persisted.keep(isWanted);
    },
  };
}
