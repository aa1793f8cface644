import { type ConversationTurn, type EnginesAnswer, titleOfWords } from "#contract/index.ts";
import type { RecorderLanguages } from "#machines/dictation/events.ts";
import { selectTranscriptionId } from "#machines/translator/conversation.ts";
import type { Side, TypedText } from "#machines/translator/events.ts";
import { apiBase } from "#src/api/http.ts";
import { audioPath } from "#src/api/transcriptions.ts";
import type { CaptionLine } from "#src/audio/captions.ts";
import { finalTranscriptionOf } from "#src/audio/final-transcription.ts";
import type { RecordingRow } from "#src/audio/recording-db.ts";
import { playStretch } from "#src/audio/replay.ts";
import { NoVoiceError, type Speaker } from "#src/audio/speaker.ts";
import { newId } from "#src/browser/new-id.ts";
import { dateOf, deleteRecording } from "#src/features/dictation/actor.ts";
import type { RecorderAdapter } from "#src/features/dictation/recorder-actor.ts";
import { enginesApi, transcriptionsApi } from "#src/features/session/api-resources.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";
import { i18n } from "#src/i18n/index.ts";
import type { ChoicesStore } from "./choices.ts";
import { type Conversation, createConversation } from "./conversation-actor.ts";
import { type OutboxTurn, outboxEntries } from "./outbox-entries.ts";
import { readingLanguage, speechCode, translationTarget, turnLanguage } from "./side-languages.ts";
import type { TurnLanguages } from "./turns.ts";

/** The turns of a conversation: adds, stores, speaks and plays them. */
export interface TurnService {
  conversation: Conversation;
  recorder: RecorderAdapter<OutboxTurn>;
  /** The languages of the two sides, as codes of the contract. */
  languages(): TurnLanguages;
  /** One side's source and target language. */
  spoken(side: Side): RecorderLanguages;
  /**
   * Translates typed text and stores it as a turn. Stores it without a translation if that is unavailable.
   * @throws ApiError
   */
  compose(typed: TypedText, signal: AbortSignal): Promise<void>;
  /** Whether the last turn should be spoken: its translation exists, speech is enabled, and a voice is available. */
  isToBeSpoken(): boolean;
  /**
   * @param turnId null: the last turn
   * @throws NoVoiceError, ApiError
   */
  speak(turnId: string | null, signal: AbortSignal): Promise<void>;
  /** @throws ApiError; an error with the code `notPlayed` */
  replay(turnId: string | null, signal: AbortSignal): Promise<void>;
}

interface TurnServiceParts {
  ownerId: string;
  engines: EnginesAnswer;
  choices: ChoicesStore;
  speaker: Speaker;
}

export function createTurnService({ ownerId, engines, choices, speaker }: TurnServiceParts): TurnService {
  const languages = (): TurnLanguages => {
    const [own, other] = choices.get().sides;
    return [turnLanguage(engines, own), turnLanguage(engines, other)];
  };
  const conversation = createConversation(ownerId, languages());
  let last: OutboxTurn | undefined;
  const targetOf = (side: Side) => {
    const { sides } = choices.get();
    return translationTarget(engines, sides[side], readingLanguage(sides[side === 0 ? 1 : 0], i18n.language));
  };
  const add = async (turn: OutboxTurn, signal: AbortSignal) => {
    await conversation.add(turn, signal);
    last = turn;
    // Uses the translations that succeeded. The server adds the others later.
    if (turn.conversationId !== conversation.id()) return;
    for (const [index, { text, translation }] of turn.turn.segments.entries())
      if (translation === undefined && text.trim() !== "") conversation.correct(turn.turnId, index, text);
  };
  return {
    conversation,
    languages,
    recorder: createRecorderAdapter({ conversation, languages, add }),
    spoken: (side) => ({
      sourceLanguage: speechCode(engines, choices.get().sides[side]) ?? "auto",
      targetLanguage: targetOf(side),
    }),
    compose: async ({ side, text }, signal) => {
      const [source, target] = [languages()[side], targetOf(side)];
      const answer = target === null ? undefined : await enginesApi.translate({ text, source, target }, signal).catch(noAnswer);
      signal.throwIfAborted();
      await add(typedTurn(conversation.id(), { side, text, translation: answer?.text, target, languages: languages() }), signal);
    },
    ...createPlayback({ conversation, choices, speaker }, () => last),
  };
}

/** Plays turns: speaks their translations, or plays their recordings. @param latest the turn that was added last */
function createPlayback(
  { conversation, choices, speaker }: Pick<TurnServiceParts, "choices" | "speaker"> & { conversation: Conversation },
  latest: () => OutboxTurn | undefined,
): Pick<TurnService, "isToBeSpoken" | "speak" | "replay"> {
  const playedTurn = (turnId: string | null) => {
    const last = latest();
    const turn = conversation.turns.get().find(({ id }) => id === (turnId ?? last?.turnId));
    return turn ?? (last && { ...last.turn, stretch: null });
  };
  return {
    isToBeSpoken: () => {
      const said = latest()?.turn;
      const isThere = said?.segments.some(({ translation = "" }) => translation.trim() !== "") ?? false;
      return choices.get().aloud && isThere && speaker.kindFor(said?.targetLanguage ?? "") !== null;
    },
    speak: async (turnId, signal) => {
      const turn = playedTurn(turnId);
      const language = turn?.targetLanguage;
      if (turn === undefined || language == null) throw new NoVoiceError();
      const { rate } = choices.get();
      for (const { translation = "" } of turn.segments)
        if (translation.trim() !== "") await speaker.speak({ text: translation, language, rate }, signal);
    },
    replay: async (turnId, signal) => {
      const stretch = playedTurn(turnId)?.stretch;
      const id = selectTranscriptionId(conversation.actor.getSnapshot());
      if (stretch == null || id === null) throw Object.assign(new Error("It has no audio."), { code: "notPlayed" });
      const { withCredentials } = await transcriptionsApi.allowAudio(id, signal);
      await playStretch({ url: apiBase + audioPath(id), withCredentials, ...stretch }, signal);
    },
  };
}

const noAnswer = () => undefined;

interface Typed extends TypedText {
  translation: string | undefined;
  target: string | null;
  languages: TurnLanguages;
}

function typedTurn(conversationId: string, { side, text, translation, target, languages }: Typed): OutboxTurn {
  const said = { start: 0, end: 0, text, words: [], ...(translation !== undefined && { translation }) };
  return turnIn(conversationId, newId(), {
    languages: [...languages],
    sourceLanguage: languages[side],
    targetLanguage: target ?? baseLanguage(languages[side === 0 ? 1 : 0]),
    segments: [said],
    title: languages[side] === "auto" ? "" : titleOfWords(text, languages[side]),
    date: new Date().toISOString(),
  });
}

const turnIn = (conversationId: string, turnId: string, turn: ConversationTurn): OutboxTurn => ({
  kind: "turn",
  clientId: newId(),
  conversationId,
  turnId,
  turn,
});

interface Around {
  conversation: Conversation;
  languages(): TurnLanguages;
  add(turn: OutboxTurn, signal: AbortSignal): Promise<void>;
}

/** A turn is recorded like a dictation, and then added to its conversation. */
function createRecorderAdapter({ conversation, languages, add }: Around): RecorderAdapter<OutboxTurn> {
  const { outbox } = conversation;
  return {
    database: "parlance-turns",
    // The page has its own notice about waiting texts.
    unsaved: { get: () => 0, subscribe: () => () => {} },
    conversation: () => ({ id: conversation.id(), languages: [...languages()] }),
    saving: {
      finalOf: (row, lines) => recordedTurn(row, lines, { id: conversation.id(), languages: [...languages()] }),
      unsaved: {
        list: () => outboxEntries.list().filter((change) => change.kind === "turn"),
        keep: outbox.hold,
      },
      saveFinal: async (turn, signal) => {
        await add(turn, signal);
        return turn.conversationId;
      },
      deleteOnServer: deleteRecording,
    },
  };
}

/** @param now the open conversation, for a recording that does not know its own */
function recordedTurn(
  row: RecordingRow,
  lines: readonly CaptionLine[],
  now: NonNullable<RecordingRow["conversation"]>,
): OutboxTurn {
  const { segments, title, date } = finalTranscriptionOf(row, lines, dateOf);
  const { id, languages } = row.conversation ?? now;
  const other = languages.find((language) => language !== row.sourceLanguage) ?? languages[1];
  const { sourceLanguage, clientId } = row;
  const turn = { languages, sourceLanguage, targetLanguage: row.targetLanguage ?? baseLanguage(other), segments, title, date };
  return { kind: "turn", clientId, conversationId: id, turnId: row.recordingId, turn };
}
