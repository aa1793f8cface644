import { Problem } from "#server/errors/problem.ts";
import { JobTakenOver } from "#server/jobs/handler.ts";
import { isLeased, removeJob } from "#server/jobs/queries.ts";
import type { Diarization } from "#server/speech/index.ts";
import {
  changeKnown,
  findTranscription,
  type TranscriptionChange,
  type TranscriptionRow,
} from "#server/transcription/queries.ts";
import { transcriptTasks } from "#server/transcription/thread-tasks.ts";
import { keepVoices } from "#server/voice-profiles/profiles.ts";
import type { LabelledVoice } from "#server/voice-profiles/voice.ts";
import { decodeStep } from "./decode-step.ts";
import { fractionDone } from "./diarize-step.ts";
import type { JobRun } from "./steps.ts";

/**
 * Identifies the speakers of a finished transcription, which may be read and corrected in that time: the result is
 * merged into the text as it is at the end.
 * @throws the error; the signal's reason when it was aborted
 */
export async function runDiarization(run: JobRun): Promise<void> {
  const { diarizer, storage, db, job, row, progress, report, signal } = run;
  const { samples } = await decodeStep(run);
  const pcmPath = storage.pcmPath(job.transcription_id);
  for (;;) {
    progress.diarizing(true);
    await report();
    const speakers = (await findTranscription(db, row.user_id, row.id))?.speaker_count ?? undefined;
    const found = await diarizer.diarize({ pcmPath, samples, speakers, signal, onProgress: fractionDone(run) });
    if (await finish(run, found, speakers)) break;
  }
  await storage.removePcm(job.transcription_id);
}

/** @returns false when another number of speakers was wished for in the meantime */
async function finish(run: JobRun, found: Diarization, wished: number | undefined): Promise<boolean> {
  const { db, job, row, signal } = run;
  for (;;) {
    signal.throwIfAborted();
    const current = await findTranscription(db, row.user_id, row.id);
    if (current === undefined) throw new JobTakenOver();
    if ((current.speaker_count ?? undefined) !== wished) return false;
    const { change, voices } = await planned(run, current, found);
    const isDone = await db.transaction().execute(async (t) => {
      if (!(await isLeased(t, job))) throw new JobTakenOver();
      if ((await changeKnown(t, current, change)) === undefined) return false;
      const recording = { userId: row.user_id, transcriptionId: row.id, at: run.now() };
      await keepVoices(t, recording, { model: found.model, voices });
      await removeJob(t, row.id);
      return true;
    });
    if (isDone) return true;
  }
}

const over: TranscriptionChange = { stage: "finished", fraction: 1, seconds_left: 0 };

interface Plan {
  change: TranscriptionChange;
  voices: LabelledVoice[];
}

async function planned(run: JobRun, current: TranscriptionRow, { turns, voices }: Diarization): Promise<Plan> {
  const { threads } = run;
  const isWarned = current.error_code === "diarizationFailed";
  const change = { ...over, ...(isWarned && { error_code: null, error_message: null }) };
  const { segments } = current;
  const wanted = { person: current.user_id, size: segments.length };
  const split = await threads.run(transcriptTasks.diarized, { segments, turns, voices }, wanted);
  if (current.target_language === null) return { change: { ...change, segments: split.segments }, voices: split.voices };
  try {
    const texts = await translated(run, split.segments, current.target_language);
    return { change: { ...change, ...texts }, voices: split.voices };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Labels must not cost a translation: segments stay whole, each with its main speaker.
    const input = { segments, turns, voices, keepsWhole: true };
    const whole = await threads.run(transcriptTasks.diarized, input, wanted);
    return { change: { ...change, segments: whole.segments }, voices: whole.voices };
  }
}

/** Translates the parts of segments that were split. @throws Problem when that fails */
async function translated({ threads, translator, row, signal }: JobRun, segments: string, target: string) {
  const source = row.source_language;
  const wanted = { person: row.user_id, size: segments.length };
  const { directions } = await threads.run(transcriptTasks.directions, { segments, source, target }, wanted);
  const done = [];
  for (const { from, to, indices, texts } of directions) {
    done.push({ indices, texts: await translator.translateTexts(texts, from, to, { person: row.user_id, signal }) });
  }
  const after = await threads.run(transcriptTasks.translated, { segments, done }, wanted);
  return { segments: after.segments, translated_text: after.translatedText };
}
