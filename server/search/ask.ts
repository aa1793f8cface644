import type { AnsweredPoint, InterfaceLanguage, SearchAnswered, SearchHit } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { RemoteError } from "#server/http/remote.ts";
import { type Answer, EnoughError, readAnswer, type Said } from "#server/insights/answer.ts";
import type { LanguageModel } from "#server/insights/language-model.ts";
import { type Known, knownOf } from "#server/insights/references.ts";
import type { Log } from "#server/log/log.ts";
import type { Chat, ChatMessage } from "#server/translation/chat-client.ts";
import { type FindParts, find } from "./find.ts";
import { questionPrompt } from "./prompt.ts";
import type { Filters } from "./queries.ts";

interface Parts extends FindParts {
  log: Log;
  languageModel: LanguageModel;
}

interface Asked {
  question: string;
  /** null: the language of the question. */
  answerIn: InterfaceLanguage | null;
  filters: Filters;
}

/** Passages that a model is shown at most. */
const maxPassages = 60;
/** Passages of one sentence. */
const maxOfPoint = 6;
/** A model that answers nonsense is asked once more. */
const attempts = 2;

/**
 * Has the language model answer a question from the best passages of this person's transcripts. Each sentence has the passages that the model
 * named, as they stand in the transcripts; what rests on none is left out. Nothing of it is stored.
 * @throws Problem `chatFailed`; the signal's reason when it is aborted
 */
export async function ask(
  parts: Parts,
  userId: string,
  { question, answerIn, filters }: Asked,
  { signal, onPoint }: { signal: AbortSignal; onPoint: (point: AnsweredPoint) => void },
): Promise<SearchAnswered> {
  const { languageModel, log } = parts;
  const { chat, contextTokens } = languageModel;
  const found = await find(parts, userId, { query: question, filters, skip: 0, take: maxPassages }, true);
  signal.throwIfAborted();
  // A title says nothing that somebody has said.
  const hits = found.hits.filter(({ isTitle }) => !isTitle);
  if (hits.length === 0) return { points: [], omitted: 0, read: 0 };
  const { messages, count } = questionPrompt(question, hits, { answerIn, contextTokens });
  const shown = hits.slice(0, count);
  const answer = await askModel(chat, messages, {
    known: numbered(shown),
    signal,
    onSaid: (said) => onPoint(pointOf(said, shown)),
  }).catch((error: unknown) => {
    if (!(error instanceof RemoteError)) throw error;
    log.warn("language model", { host: chat.host, model: chat.model, kind: error.kind, error: error.message });
    throw new Problem("chatFailed", `Language model: ${error.message}`, { cause: error });
  });
  signal.throwIfAborted();
  return { points: answer.said.map((said) => pointOf(said, shown)), omitted: answer.omitted, read: count };
}

/** What the model may refer to, by number. */
const numbered = (shown: readonly SearchHit[]): Known =>
  knownOf(
    shown.map(({ start, end, speaker, text }, at) => ({ number: at + 1, start: start ?? 0, end: end ?? 0, speaker, text })),
  );

const pointOf = ({ text, numbers }: Said, shown: readonly SearchHit[]): AnsweredPoint => ({
  text,
  passages: numbers.slice(0, maxOfPoint).flatMap((number) => shown[number - 1] ?? []),
});

interface Reading {
  known: Known;
  signal: AbortSignal;
  onSaid: (said: Said) => void;
}

/** @throws RemoteError `garbage` when nothing of the answer stands */
async function askModel(chat: Chat, messages: ChatMessage[], { known, signal, onSaid }: Reading): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const reader = readAnswer("answer", known, onSaid);
    try {
      await chat.stream(messages, reader.feed, { signal });
    } catch (error) {
      if (!(error instanceof EnoughError)) throw error;
    }
    const answer = reader.end();
    if (answer.said.length > 0 || answer.isNone) return answer;
    if (attempt === attempts) throw new RemoteError("garbage", "Its answer rests on nothing that was said.");
  }
}
