import { textOf } from "#contract/correcting/text.ts";
import type { Segment, Transcription } from "#contract/index.ts";
import type { VaultMeta } from "./meta.ts";
import { sealText, type VaultWorker } from "./worker.ts";

/** A text recognized on this device, in the format of a transcription that was moved here. */
function madeText(id: string, meta: VaultMeta, segments: readonly Segment[]): Transcription {
  return {
    id,
    title: meta.name,
    text: textOf(segments),
    translatedText: "",
    sourceLanguage: "en-US",
    targetLanguage: null,
    date: meta.recordedAt,
    status: "completed",
    origin: null,
    durationSeconds: meta.durationSeconds,
    hasAudio: true,
    progress: null,
    error: null,
    segments: [...segments],
    fileName: null,
    engine: "moonshine-tiny-en",
  };
}

interface Made {
  id: string;
  meta: VaultMeta;
  segments: readonly Segment[];
}

/** @param recipient "age1…" @returns the encrypted text @throws VaultFailure */
export function sealNewText(worker: Pick<VaultWorker, "ask">, recipient: string, { id, meta, segments }: Made) {
  return sealText(worker, recipient, JSON.stringify(madeText(id, meta, segments)));
}
