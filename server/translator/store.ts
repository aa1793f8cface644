import { randomUUID } from "node:crypto";
import type { Locks } from "#server/cluster/locks.ts";
import type { DbParts } from "#server/db/open.ts";
import type { Live } from "#server/dictation/sockets.ts";
import { Problem } from "#server/errors/problem.ts";
import type { Worker } from "#server/jobs/worker.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { UsageMeter } from "#server/subscription/usage.ts";
import type { Threads } from "#server/threads/threads.ts";
import {
  changeKnown,
  findByClientId,
  insertTranscription,
  type NewTranscription,
  type TranscriptionChange,
  type TranscriptionRow,
} from "#server/transcription/queries.ts";
import type { Transcript } from "#server/transcription/thread-tasks.ts";
import { pcmRate } from "#speech/bytes.ts";
import { appendAudio, settleAudio, stretchOf, writeAudio } from "./audio.ts";
import { findUnsettled, listTurns, markSettled, markUnsettled, putTurn, type TurnRow } from "./queries.ts";
import type { Spoken } from "./recording.ts";
import { beginOf, lengthOf, type Turn } from "./timeline.ts";

export interface Parts extends DbParts {
  storage: Storage;
  engines: SpeechEngines;
  worker: Worker;
  live: Live;
  usage: UsageMeter;
  threads: Threads;
  locks: Locks;
}

/** A stored conversation. */
export interface Opened {
  userId: string;
  conversationId: string;
  /** Its transcription, even if deleted, as long as it can be restored. */
  row: TranscriptionRow | undefined;
  /** Existing turns in chronological order. */
  turns: Turn[];
  deleted: ReadonlySet<string>;
}

/**
 * Reads a conversation, and repairs its audio after a crash. @throws Problem `conflict` when the id belongs to another
 * transcription
 */
export async function openConversation({ db, storage }: Parts, userId: string, conversationId: string): Promise<Opened> {
  const row = await findByClientId(db, userId, conversationId);
  if (row !== undefined && row.origin !== "conversation")
    throw new Problem("conflict", "This id does not belong to a conversation.");
  const all = await listTurns(db, userId, conversationId);
  const turns = all.filter((turn) => turn.deleted === 0);
  if (row !== undefined) await settle({ db, storage }, row.id, turns);
  const isSilent = row === undefined || (await storage.audio(row.id)) === undefined;
  return {
    userId,
    conversationId,
    row,
    // Audio deleted elsewhere is not restored: new turns start a new file.
    turns: isSilent ? turns.map((turn) => ({ ...turn, samples: 0 })) : turns,
    deleted: new Set(all.filter((turn) => turn.deleted === 1).map((turn) => turn.turn_id)),
  };
}

/** Updates the audio file to match the turns, if needed. */
export async function settle({ db, storage }: Pick<Parts, "db" | "storage">, id: string, turns: readonly Turn[]): Promise<void> {
  const unsettled = await findUnsettled(db, id);
  if (unsettled === undefined) return;
  await settleAudio(storage, id, lengthOf(turns), unsettled.replacement);
  await markSettled(db, id);
}

/** The row was changed concurrently while the audio was written; everything has to be repeated. */
export class Overtaken extends Error {}

export interface Change {
  /** The resulting turns, in order. */
  after: readonly Turn[];
  /** The changed turn, with its audio. */
  turn: Pick<TurnRow, "turn_id" | "date" | "samples" | "deleted">;
  spoken?: Spoken | undefined;
  transcript: Transcript;
  /** Further columns, or those of a new row. */
  columns: TranscriptionChange;
  newRow?: Omit<NewTranscription, "id" | "user_id" | "client_id" | keyof ReturnType<typeof contentOf>>;
}

/** Stores changed turns: writes the audio, commits the row, then makes the audio file match the row. */
export async function store(parts: Parts, opened: Opened, change: Change): Promise<TranscriptionRow> {
  const { db, storage } = parts;
  const { after, turn, spoken, columns, newRow } = change;
  const id = opened.row?.id ?? randomUUID();
  const more = (lengthOf(after) - lengthOf(opened.turns)) * 2;
  const isOtherSound = more !== 0;
  const replacement = isOtherSound ? await writeSound(storage, id, opened, change) : undefined;
  try {
    const content = contentOf(change, opened.row);
    const row = await db.transaction().execute(async (t) => {
      const stored =
        opened.row === undefined
          ? newRow && (await insertTranscription(t, { ...newRow, ...content, ...namesOf(opened, id) }))
          : await changeKnown(t, opened.row, { ...content, ...columns });
      if (stored === undefined) throw new Overtaken();
      const { userId: user_id, conversationId: conversation_id } = opened;
      await putTurn(t, { user_id, conversation_id, ...turn });
      if (spoken !== undefined && !(await spoken.attach(t, id))) throw new Overtaken();
      if (isOtherSound) await markUnsettled(t, id, { replacement, more });
      return stored;
    });
    await settle(parts, id, after);
    await spoken?.tidy();
    return row;
  } catch (error) {
    // Unless the replacement is already in place.
    if (error instanceof Overtaken && replacement !== undefined) await storage.removeReplacement(replacement);
    throw error;
  }
}

function namesOf({ userId, conversationId }: Opened, id: string) {
  return { id, user_id: userId, client_id: conversationId };
}

function contentOf({ transcript: { segments, text, translatedText }, after }: Change, row: TranscriptionRow | undefined) {
  const samples = lengthOf(after);
  const isSilent = text === "";
  const error = row?.error_code === "noSpeech" ? null : (row?.error_code ?? null);
  return {
    text,
    translated_text: translatedText,
    segments,
    duration_seconds: samples === 0 ? null : samples / pcmRate,
    audio_type: samples === 0 ? null : "audio/wav",
    error_code: isSilent ? "noSpeech" : error,
    error_message: isSilent ? null : (row?.error_message ?? null),
  } as const;
}

/**
 * Writes the audio of the resulting turns without touching the committed part.
 * @returns the file that replaces the audio; undefined when it was appended to the audio itself
 */
async function writeSound(storage: Storage, id: string, opened: Opened, change: Change): Promise<string | undefined> {
  const { turns: before } = opened;
  const { after, turn, spoken } = change;
  const whole = lengthOf(before);
  const begin = turn.deleted === 1 ? beginOf(before, turn.turn_id) : beginOf(after, turn.turn_id);
  const old = turn.deleted === 1 ? lengthOf(before) - lengthOf(after) : 0;
  const isLast = begin + old === whole;
  // The file is truncated, or appended to; the row still finds all it refers to.
  if (isLast && turn.deleted === 1 && (storage.inPlace !== undefined || begin === 0)) return undefined;
  if (isLast && whole > 0 && turn.deleted === 0 && storage.inPlace !== undefined) {
    if (spoken !== undefined) await appendAudio(storage.inPlace(id), whole, spoken.stretch);
    return undefined;
  }
  const replacement = `${randomUUID()}.wav`;
  const audio = whole === 0 ? undefined : await storage.audio(id);
  await writeAudio(storage, replacement, [
    ...(audio === undefined ? [] : [stretchOf(audio, 0, begin)]),
    ...(spoken === undefined ? [] : [spoken.stretch]),
    ...(audio === undefined ? [] : [stretchOf(audio, begin + old, whole)]),
  ]);
  return replacement;
}
