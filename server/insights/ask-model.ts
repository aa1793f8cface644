import type { InsightKind } from "#contract/index.ts";
import { RemoteError } from "#server/http/remote.ts";
import type { Chat, ChatMessage } from "#server/translation/chat-client.ts";
import { type Answer, EnoughError, readAnswer, type Said } from "./answer.ts";
import type { Known } from "./references.ts";

/** A model with an unusable answer is asked once more. */
const attempts = 2;

interface Asking {
  kind: InsightKind;
  /** The lines that the answer may cite. */
  known: Known;
  /** The source of these lines, for error messages. */
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
      throw new RemoteError("garbage", `The answer of the model at ${chat.host} cites nothing ${source}.`);
  }
}
