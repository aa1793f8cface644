import type { Store } from "#src/browser/store.ts";
import type { Microphone } from "./microphone.ts";
import type { OwnedRecording } from "./recordings.ts";
import { createSilenceWatch } from "./silence.ts";

const sampleRate = 16_000;

/** Callbacks during capturing. */
interface CaptureListener {
  /** Called when the microphone was unplugged or sharing has ended. No more audio follows. */
  onLost(what: "microphone" | "display"): void;
  /** `onChange` is called after this many seconds of silence in the shared sound, and when sound returns. */
  silence?: { seconds: number; onChange(isSilent: boolean): void };
}

/** The recording that is open in this tab, and its audio source. */
export interface OpenRecording {
  readonly owned: OwnedRecording | undefined;
  /** undefined while nothing is captured. */
  readonly microphone: Microphone | undefined;
  hold(owned: OwnedRecording, microphone?: Microphone): void;
  /** Appends captured audio until the caller calls the returned function. This does not end the recording. */
  capture(listener: CaptureListener): () => void;
  /** While muted, the microphone's frames are dropped. */
  mute(isMuted: boolean): void;
  /** Resolves when the last frame is stored. Before that, no other tab may open the recording. */
  release(): Promise<void>;
}

/** @param level of the captured audio @param elapsed captured seconds */
export function createOpenRecording({ level, elapsed }: { level: Store<number>; elapsed: Store<number> }): OpenRecording {
  let owned: OwnedRecording | undefined;
  let microphone: Microphone | undefined;
  let muted = false;
  return {
    get owned() {
      return owned;
    },
    get microphone() {
      return microphone;
    },
    hold: (next, capturing) => {
      owned = next;
      microphone = capturing;
    },
    capture: ({ onLost, silence }) => {
      const [frames, opened] = [owned?.frames, microphone];
      const watch = silence && createSilenceWatch(silence.seconds, silence.onChange);
      let samples = 0;
      muted = false;
      opened?.listen({
        onFrame: (pcm) => {
          if (muted) return;
          samples += pcm.length / 2;
          frames?.append(pcm);
          elapsed.set(samples / sampleRate);
        },
        onLevel: (loudness, displayLevel) => {
          level.set(muted ? 0 : loudness);
          if (displayLevel !== undefined && !muted) watch?.hear(displayLevel, samples / sampleRate);
        },
        onLost,
      });
      return () => {
        opened?.close();
        level.set(0);
      };
    },
    mute: (isMuted) => {
      muted = isMuted;
      if (isMuted) level.set(0);
    },
    release: async () => {
      microphone?.close();
      microphone = undefined;
      const before = owned;
      owned = undefined;
      await before?.frames.settled();
      await before?.release();
    },
  };
}
