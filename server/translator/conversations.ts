import * as v from "valibot";
import { SpeechLanguage, TurnLanguage, titleByDate, titleOfWords } from "#contract/index.ts";
import { inTurn } from "#server/cluster/locks.ts";
import { withoutGuard } from "#server/db/guard.ts";
import { Problem } from "#server/errors/problem.ts";
import { changeKnown, emptied, restored, type TranscriptionRow } from "#server/transcription/queries.ts";
import { isSpoken } from "#server/transcription/spoken-bytes.ts";
import { spokenLanguage } from "#server/transcription/spoken-language.ts";
import { pcmRate } from "#speech/bytes.ts";
import { listTurns, listUnsettled, putTurn } from "./queries.ts";
import { dropRecording, findSpoken } from "./recording.ts";
import { type Opened, Overtaken, openConversation, type Parts, settle, store } from "./store.ts";
import { turnTasks } from "./thread-tasks.ts";
import { inOrder, ownLanguages } from "./timeline.ts";

/** The output of `readTurn` (thread-tasks.ts). */
type TurnInput = ReturnType<typeof turnTasks.readTurn>;

/** Attempts: a correction or another tab may change the row while the audio is written. */
const rounds = 5;

/** The turns of conversations (contract/translator.ts). Requests for one conversation run one after the other. */
export interface Conversations {
  /** @throws Problem `gone` for a turn that was deleted before its conversation existed, `conflict` */
  save(userId: string, conversationId: string, turnId: string, update: TurnInput): Promise<TranscriptionRow>;
  /** @throws Problem `notFound` when the conversation does not exist; the turn stays deleted nevertheless */
  remove(userId: string, conversationId: string, turnId: string): Promise<TranscriptionRow>;
}

export function createConversations(parts: Parts): Conversations {
  const attempt = (userId: string, conversationId: string, work: (opened: Opened) => Promise<TranscriptionRow>) =>
    inTurn(parts.locks, lockOf(userId, conversationId), async () => {
      for (let round = 0; round < rounds; round++) {
        try {
          return await work(await openConversation(parts, userId, conversationId));
        } catch (error) {
          if (!(error instanceof Overtaken)) throw error;
        }
      }
      throw new Problem("editedAtOnce", undefined, { retryAfter: 1 });
    });
  return {
    save: (userId, conversationId, turnId, update) =>
      attempt(userId, conversationId, (opened) => saveTurn(parts, opened, turnId, update)),
    remove: (userId, conversationId, turnId) => attempt(userId, conversationId, (opened) => removeTurn(parts, opened, turnId)),
  };
}

/** Finishes changes of audio that a crash has interrupted, for all conversations. Called at startup. */
export async function settleConversations({ db, storage, locks }: Pick<Parts, "db" | "storage" | "locks">): Promise<void> {
  for (const { id, user_id, client_id } of await listUnsettled(db)) {
    // Another process may be changing it.
    await inTurn(locks, lockOf(user_id, client_id), async () => {
      const turns = await listTurns(db, user_id, client_id);
      await settle(
        { db, storage },
        id,
        turns.filter(({ deleted }) => deleted === 0),
      );
    });
  }
}

const lockOf = (userId: string, conversationId: string) => `conversation/${userId}/${conversationId}`;

async function saveTurn(parts: Parts, opened: Opened, turnId: string, update: TurnInput): Promise<TranscriptionRow> {
  const { row, turns, userId } = opened;
  const turn = await withSpokenLanguage(parts, update);
  if (opened.deleted.has(turnId)) {
    await dropRecording(parts, userId, turnId);
    if (row === undefined) throw new Problem("gone", "This turn was deleted.");
    return row;
  }
  const known = turns.find((one) => one.turn_id === turnId);
  const spoken = await findSpoken(parts, userId, turnId, row?.id);
  const samples = spoken?.stretch.samples ?? 0;
  // Speech recorded here, and its translation, is saved beyond the quota: there was room when it began.
  const fits = (sound: number) => isSpoken([update.segments, update.text], sound / pcmRate);
  if (row !== undefined && known !== undefined && samples === 0) {
    const translate = () => withTranslation(parts, row, turnId, update.segments);
    return fits(known.samples) ? withoutGuard(translate) : translate();
  }
  const date = Date.parse(turn.date);
  const languages = row ?? ownLanguages(turn);
  const after = inOrder([...turns.filter((one) => one.turn_id !== turnId), { turn_id: turnId, date, samples }]);
  const stored = row?.segments ?? "[]";
  const { source_language, target_language } = languages;
  const isNew = {
    turn,
    segments: update.segments,
    turnId,
    languages: { source_language, target_language },
    isKnown: known !== undefined,
  };
  const arrangement = { kept: stored, before: turns, after, update: isNew };
  const wanted = { person: userId, size: stored.length + update.segments.length };
  const transcript = await parts.threads.run(turnTasks.arranged, arrangement, wanted);
  const title = turn.title || titleOfWords(update.text, turn.sourceLanguage) || titleByDate(date);
  const engine = samples === 0 ? (row?.engine ?? null) : engineFor(parts, update.turn.sourceLanguage);
  const change = {
    after,
    turn: { turn_id: turnId, date, samples, deleted: 0 },
    spoken,
    transcript,
    // Adding a turn to a deleted conversation restores it, so that nothing spoken is lost.
    columns: { engine, ...restored },
    newRow: { ...finished, ...ownLanguages(turn), engine, title, date },
  };
  const save = () => store(parts, opened, change);
  return fits(samples) ? withoutGuard(save) : save();
}

/** For a side whose language is detected: the spoken language, which is never the other side's. */
async function withSpokenLanguage({ engines }: Parts, { turn, text }: TurnInput): Promise<TurnInput["turn"]> {
  const [own, other] = turn.languages;
  if (turn.sourceLanguage !== "auto") return turn;
  const except = own === "auto" ? other : own;
  const language = v.parse(TurnLanguage, await spokenLanguage("auto", { engines, use: "live", text, except }));
  return { ...turn, sourceLanguage: language, languages: [own === "auto" ? language : own, other === "auto" ? language : other] };
}

function engineFor({ engines }: Parts, language: string): string | null {
  return v.is(SpeechLanguage, language) ? (engines.forLanguage(language, "live")?.engine.id ?? null) : null;
}

const finished = {
  recording_id: null,
  status: "completed",
  origin: "conversation",
  file_name: null,
  stage: null,
  fraction: null,
  seconds_left: null,
  deleted_at: null,
} as const;

/** Adds the translation to a turn saved without one; later corrections are kept. */
async function withTranslation(
  { db, threads }: Parts,
  row: TranscriptionRow,
  turnId: string,
  segments: string,
): Promise<TranscriptionRow> {
  const kept = row.segments;
  const wanted = { person: row.user_id, size: kept.length + segments.length };
  const translated = await threads.run(turnTasks.turnTranslated, { kept, turnId, segments }, wanted);
  if (translated === undefined) return row;
  const change = { segments: translated.segments, translated_text: translated.translatedText };
  const changed = await changeKnown(db, row, change);
  if (changed === undefined) throw new Overtaken();
  return changed;
}

async function removeTurn(parts: Parts, opened: Opened, turnId: string): Promise<TranscriptionRow> {
  const { row, turns, userId, conversationId } = opened;
  const wasRecorded = await dropRecording(parts, userId, turnId);
  const known = turns.find((one) => one.turn_id === turnId);
  if (row === undefined || known === undefined) {
    const tombstone = { user_id: userId, conversation_id: conversationId, turn_id: turnId };
    const mark = () =>
      parts.db.transaction().execute((t) => putTurn(t, { ...tombstone, date: parts.now(), samples: 0, deleted: 1 }));
    // Without a recording, the quota applies: a page could mark any number of turns that never existed.
    await (wasRecorded ? withoutGuard(mark) : mark());
    if (row === undefined) throw new Problem("notFound", "This conversation does not exist.");
    return row;
  }
  const after = turns.filter((one) => one !== known);
  const transcript = await parts.threads.run(
    turnTasks.arranged,
    { kept: row.segments, before: turns, after },
    { person: userId, size: row.segments.length },
  );
  const { hidden_translations } = row;
  const hidden = await parts.threads.run(
    turnTasks.hiddenAfter,
    { hidden: hidden_translations, after },
    { person: userId, size: hidden_translations.length },
  );
  return store(parts, opened, {
    after,
    turn: { turn_id: turnId, date: known.date, samples: 0, deleted: 1 },
    transcript,
    // The conversation is empty; its next turn restores it.
    columns: { hidden_translations: hidden, ...(after.length === 0 && emptied(parts.now())) },
  });
}
