import { frameSamples, type Segment, sampleRate } from "#contract/index.ts";
import { moved } from "#speech/words.ts";
import type { Captions, Interim } from "./captions.ts";
import type { RecordingRow } from "./recording-db.ts";

// For recordings that the browser's own recognizer or the model on this device transcribes. The page sends their words,
// and keeps them in the recording's row until the server has them.

/** The duration of this many frames. */
export const secondsOf = (frames: number): number => (frames * frameSamples) / sampleRate;

/** The first frame that is not recognized yet. */
export const firstUnrecognized = ({ base, heard }: RecordingRow): number =>
  Math.max(base, Math.ceil(((heard?.at(-1)?.end ?? 0) * sampleRate) / frameSamples));

/**
 * The recognized segments in the server's numbering and time: from its first frame, without those that it does not
 * accept.
 */
export function recognizedForServer({ heard = [], base, cut }: RecordingRow): Segment[] {
  const [from, to] = [secondsOf(base), cut === undefined ? Number.POSITIVE_INFINITY : secondsOf(cut)];
  const at = (seconds: number) => Math.max(0, Math.round((seconds - from) * 1000) / 1000);
  return heard.filter(({ start }) => start < to).map((segment) => moved(segment, at));
}

/** The segments that the server lacks, for a recording that starts again on the server. */
export function unconfirmedRecognized({ heard, heardConfirmed = 0 }: RecordingRow): Partial<RecordingRow> {
  return heard === undefined ? {} : { heard: heard.slice(heardConfirmed), heardConfirmed: 0 };
}

/** The segments from a frame on, for the rest of a recording. */
export function recognizedAfter({ heard }: Pick<RecordingRow, "heard">, frame: number): Partial<RecordingRow> {
  return heard === undefined ? {} : { heard: heard.filter(({ start }) => start >= secondsOf(frame)), heardConfirmed: 0 };
}

export const hasWords = (row: Pick<RecordingRow, "heard"> | undefined): boolean => (row?.heard ?? []).length > 0;

/** A recording's row, where its words are stored. */
interface RecognizedLog {
  readonly row: RecordingRow;
  change(change: Partial<RecordingRow>): void;
}

/** Stores words before anything else happens to them. */
export function addRecognizedText(log: RecognizedLog, segments: readonly Segment[]): void {
  log.change({ heard: [...(log.row.heard ?? []), ...segments] });
}

type ShownCaptions = Pick<Captions, "replace" | "addFinal" | "setPartial">;

/** Shows the server's version of the words that it has, and the browser's version of the rest. */
export interface RecognizedCaptions extends ShownCaptions {
  /** Shows newly recognized words. */
  refresh(): void;
}

export function createRecognizedCaptions(log: RecognizedLog, captions: ShownCaptions): RecognizedCaptions {
  let confirmed: readonly Segment[] = [];
  let partial: Interim | undefined;
  const show = () => {
    captions.replace([...confirmed, ...recognizedForServer(log.row).slice(confirmed.length)]);
    // `replace` has cleared the interim text, and the recognizer repeats it only with the next word.
    if (partial !== undefined) captions.setPartial(partial);
  };
  const confirm = (segments: readonly Segment[]) => {
    confirmed = segments;
    if (segments.length !== (log.row.heardConfirmed ?? 0)) log.change({ heardConfirmed: segments.length });
    show();
  };
  return {
    refresh: show,
    replace: confirm,
    addFinal: (index, segment) => confirm([...confirmed.slice(0, index), segment]),
    setPartial: (interim) => {
      partial = interim.text === "" ? undefined : interim;
      captions.setPartial(interim);
    },
  };
}
