import * as v from "valibot";
import type { Segment } from "#contract/index.ts";
import { createStore, type Store } from "#src/browser/store.ts";
import { stored } from "#src/browser/stored.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";
import type { DeviceStream } from "#src/features/device-models/recogniser.ts";
import { createCaptions } from "#src/features/dictation/captions.ts";

/** The words of a running recording, recognized on this device. Kept in memory only, and out of machines. */
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
    /** The visible captions. */
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
    /** @param pcm its memory is transferred */
    write: (pcm: Uint8Array<ArrayBuffer>) => stream?.write(pcm),
    /** Waits for the remaining words. @returns whether there are any words. @throws DeviceFailure */
    end: async (): Promise<boolean> => {
      segments = (await stream?.end()) ?? segments;
      return segments.length > 0;
    },
    hide,
    /** Returns the segments recognized so far, and hides the captions. */
    take: (): readonly Segment[] => {
      hide();
      const all = segments;
      segments = [];
      return all;
    },
  };
}

const persisted = stored("vaultTranscribes", v.boolean());

/** Whether recordings should be transcribed. Stored in this browser. */
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
