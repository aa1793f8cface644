import type { InsightKind } from "#contract/index.ts";
import { RemoteError } from "#server/http/remote.ts";
import type { Chat, ChatMessage } from "#server/translation/chat-client.ts";
import { type Answer, EnoughError, readAnswer, type Said } from "./answer.ts";
import type { Known } from "./references.ts";

/** A model that answers nonsense is asked once more. */
const attempts = 2;

interface Asking {
  kind: InsightKind;
  /** What the answer may refer to. */
  known: Known;
  /** Where that is from, for people. */
  source: "in the transcript" | "that was said";
  /** Whether "none" is an answer. */
  mayBeNone: boolean;
  signal: AbortSignal | undefined;
  onSaid: ((said: Said) => void) | undefined;
}

/** @throws RemoteError `garbage` when nothing of the answer stands */
export async function askModel(
  chat: Chat,
  messages: ChatMessage[],
  { kind, known, source, mayBeNone, signal, onSaid }: Asking,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    let reader = readAnswer(kind, known, onSaid);
    const onText = (text: string) => reader.feed(text);
    const onRestart = () => {
      reader = readAnswer(kind, known, onSaid);
    };
    try {
      await chat.stream(messages, { signal, onText, onRestart });
    } catch (error) {
      if (!(error instanceof EnoughError)) throw error;
    }
    const answer = reader.end();
    if (answer.said.length > 0 || (answer.isNone && mayBeNone)) return answer;
    if (attempt === attempts)
      throw new RemoteError("garbage", `The answer of the model at ${chat.host} rests on nothing ${source}.`);
  }
}
