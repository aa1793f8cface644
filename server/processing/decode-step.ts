import { rm, stat } from "node:fs/promises";
import type { ErrorCode } from "#contract/index.ts";
import { append } from "#contract/lists.ts";
import { Problem } from "#server/errors/problem.ts";
import { JobTakenOver } from "#server/jobs/handler.ts";
import { storePlan } from "#server/jobs/piece-queries.ts";
import { describeError } from "#server/log/log.ts";
import { AudioError, type Decoded } from "#server/speech/index.ts";
import { isPlayedAsItCame, recognizedTrack, trackColumns } from "#server/speech/tracks.ts";
import { jobSource } from "#server/subscription/usage.ts";
import { hintGc } from "#server/threads/gc-hint.ts";
import { changeTranscription, findAudioType, getTranscription } from "#server/transcription/queries.ts";
import { mayBeVideo, probeVideo } from "#server/video/probe.ts";
import { findVideo, putVideo } from "#server/video/queries.ts";
import { PeaksCollector } from "#server/waveform/collector.ts";
import { keepPeaks } from "#server/waveform/keep.ts";
import { pcmRate } from "#speech/bytes.ts";
import { type Piece, PieceCutter } from "#speech/cut.ts";
import { openHeld } from "./open-held.ts";
import type { JobRun } from "./steps.ts";

/** Disk space that a job leaves free, in bytes: for the database and incoming uploads. */
const diskReserve = 64 * 1024 * 1024;

export interface DecodedJob extends Pick<Decoded, "truncated" | "hasHoles"> {
  samples: number;
}

/**
 * Decodes to a PCM file and plans the pieces, unless an earlier run has done so. A file that could not be decoded is
 * deleted.
 * @throws AudioError; Problem `tooLong`, `limitReached`, `storageFull` above a limit; disk errors
 */
export async function decodeStep(run: JobRun): Promise<DecodedJob> {
  const { db, storage, job, progress, report, progressed } = run;
  const id = job.transcription_id;
  const path = storage.pcmPath(id);
  const size = await stat(path).then(
    (info) => info.size,
    () => 0,
  );
  if (job.decoded_samples !== null && size === job.decoded_samples * 2) {
    return { samples: job.decoded_samples, truncated: job.truncated === 1, hasHoles: job.holes === 1 };
  }
  progress.decoding();
  await report();
  try {
    const { pieces, peaks, ...decoded } = await decodeInto(path, run);
    if (!(await storePlan(db, job, { ...decoded, pieces }))) throw new JobTakenOver();
    // A text never waits or fails because of the waveform: a missing one is made on request.
    await drawn(run, peaks).catch((error: unknown) => run.log.warn("peaks not saved", { id, ...describeError(error) }));
    // Decoding again, because the result is on another machine or lost, is no progress.
    if (job.decoded_samples === null) await progressed();
    return decoded;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Stores the waveform of the audio. For another audio track, this happens when the text comes from it, too. */
async function drawn(run: JobRun, peaks: PeaksCollector): Promise<void> {
  if (run.job.track !== null) return;
  const id = run.job.transcription_id;
  const audio = await run.storage.audio(id);
  const { track } = await getTranscription(run.db, id);
  if (audio !== undefined) await keepPeaks(run, { id, track }, peaks.finish(audio.size));
}

/** Stores the available audio tracks, the recognized one, and whether it has gaps. */
async function noteTracks({ db, row }: JobRun, decoded: Decoded): Promise<void> {
  const now = trackColumns(decoded);
  if (now.tracks !== row.tracks || now.track !== row.track || now.holes !== row.holes) await changeTranscription(db, row.id, now);
}

/** Stores the content type of the bytes: the client's may be wrong, and then some browsers refuse to play it. */
async function noteType({ db, row }: JobRun, type: string): Promise<void> {
  await db.transaction().execute(async (t) => {
    // The audio may have been deleted in the meantime.
    const known = await findAudioType(t, row.id);
    if (known !== null && known !== type) await changeTranscription(t, row.id, { audio_type: type });
  });
}

/**
 * Records the picture's state while its file is here: a text never waits or fails because of it.
 * @param path absolute
 */
async function noteVideo({ db, now, row, signal, job }: JobRun, path: string, decoded: Decoded): Promise<void> {
  if (job.track !== null || !mayBeVideo(decoded.type)) return;
  // The same file is decoded again to identify speakers: its picture is known, and may have been made.
  if ((await findVideo(db, { transcription_id: row.id, kind: "picture" })) !== undefined) return;
  const { kind } = await probeVideo(path, signal, decoded.track);
  const isPlayed = kind === "original" && isPlayedAsItCame(trackColumns(decoded));
  const state = kind === "none" || isPlayed ? kind : "waiting";
  const noted = { transcription_id: row.id, kind: "picture", user_id: row.user_id, state, asked_at: now() } as const;
  await db.transaction().execute((t) => putVideo(t, noted));
}

async function decodeInto(path: string, run: JobRun): Promise<DecodedJob & { pieces: Piece[]; peaks: PeaksCollector }> {
  const { storage, decode, job, signal } = run;
  const budget = await budgetOf(run);
  if (budget.samples <= 0) throw new Problem(budget.code);
  const cutter = new PieceCutter();
  const peaks = new PeaksCollector();
  const pieces: Piece[] = [];
  let samples = 0;
  await using opened = await openHeld(path, "w", 0o600);
  const { file } = opened;
  const onPcm = async (chunk: Buffer) => {
    await file.writeFile(chunk);
    samples += chunk.length / 2;
    hintGc(chunk.length);
    append(pieces, cutter.push(chunk));
    peaks.push(chunk);
  };
  await using source = await storage.localAudio(job.transcription_id);
  const options = { signal, maxSamples: budget.samples, onPcm, track: wantedTrack(run) };
  const decoded = await decode(source.path, options).catch(async (error: unknown) => {
    throw error instanceof AudioError && error.code === "tooLong" ? await tooLong(run, budget, error) : error;
  });
  append(pieces, cutter.finish());
  if (job.track === null) await noteTracks(run, decoded);
  await noteType(run, decoded.type);
  await noteVideo(run, source.path, decoded).catch((error: unknown) => {
    signal.throwIfAborted();
    run.log.warn("picture not checked", { id: job.transcription_id, ...describeError(error) });
  });
  await file.datasync();
  return { samples, truncated: decoded.truncated, hasHoles: decoded.hasHoles, pieces, peaks };
}

/** The audio track to decode; undefined: the file's default. A finished transcription already has one. */
const wantedTrack = ({ job, row }: JobRun): number | undefined =>
  job.task === "transcribe" ? (row.track ?? undefined) : recognizedTrack(row);

interface Budget {
  /** At 16 kHz. */
  samples: number;
  /** The error for a longer recording. */
  code: ErrorCode;
}

/**
 * The maximum length that may be decoded: the least of the server's limit, the user's remaining minutes and the disk
 * space.
 */
async function budgetOf({ storage, usage, job, row, maxAudioSeconds }: JobRun): Promise<Budget> {
  const disk: Budget = { samples: Math.floor(((await storage.freeBytes()) - diskReserve) / 2), code: "storageFull" };
  // Dictation was counted and limited while it was recorded; a finished transcription when it was made, unless it is
  // another audio track.
  if (row.recording_id !== null || (job.task !== "transcribe" && job.track === null)) return disk;
  const own = await usage.allowance({ userId: row.user_id, source: jobSource(row, job) });
  const budgets: Budget[] = [
    { samples: own, code: "limitReached" },
    { samples: maxAudioSeconds * pcmRate, code: "tooLong" },
    disk,
  ];
  return budgets.reduce((least, budget) => (budget.samples < least.samples ? budget : least));
}

/** Stores the length where it is known, so that a retry is refused at once. */
async function tooLong({ db, row, job }: JobRun, { code }: Budget, error: AudioError): Promise<Problem> {
  if (error.saidSeconds !== undefined && job.task === "transcribe")
    await changeTranscription(db, row.id, { duration_seconds: error.saidSeconds });
  return new Problem(code, undefined, { cause: error });
}
