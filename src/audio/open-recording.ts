import type { Store } from "#src/browser/store.ts";
import type { Microphone } from "./microphone.ts";
import type { OwnedRecording } from "./recordings.ts";
import { createSilenceWatch } from "./silence.ts";

const sampleRate = 16_000;

/** What becomes of what is captured. */
interface CaptureListener {
  /** The microphone was unplugged, or sharing has ended: nothing more comes. */
  onLost(what: "microphone" | "display"): void;
  /** For so many seconds nothing has been heard of what is shared; or something is heard again. */
  silence?: { seconds: number; onChange(isSilent: boolean): void };
}

/** The recording that is open in this tab, and what captures it. */
export interface OpenRecording {
  readonly owned: OwnedRecording | undefined;
  /** undefined while nothing captures. */
  readonly microphone: Microphone | undefined;
  hold(owned: OwnedRecording, microphone?: Microphone): void;
  /** Appends what is captured until the returned function is called. The recording has no end by that. */
  capture(listener: CaptureListener): () => void;
  /** While muted, the microphone's frames are dropped. */
  mute(isMuted: boolean): void;
  /** Resolves when the last frame is stored: no other tab may open the recording before. */
  release(): Promise<void>;
}

/** @param level of what is captured @param elapsed seconds that were captured */
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
