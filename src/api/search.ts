import { type Asking, SearchAnswer, SearchAnswerEvent } from "#contract/index.ts";
import type { Call, Send } from "./http.ts";
import { transcriptionsPath } from "./paths.ts";
import { failureCode, readWorkStream, requestWork } from "./work-stream.ts";

const path = `${transcriptionsPath}/search`;

/** Filters. Times are ISO 8601; the end is exclusive. */
interface Narrowed {
  language?: string;
  from?: string;
  to?: string;
}

/** The calls about the search in all transcripts. They throw ApiError. */
export function createSearchApi(call: Call, send: Send) {
  return {
    search: (asked: Narrowed & { q: string; page: number; limit: number }, signal?: AbortSignal) => {
      const query = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]));
      return call(`${path}?${query}`, { schema: SearchAnswer, signal });
    },
    /**
     * Asks a language model a question. Resolves after the last event. Aborting stops the server's work.
     * @param onEvent receives all events in order
     */
    ask: async (asked: Narrowed & { question: string }, signal: AbortSignal, onEvent: (event: Asking) => void): Promise<void> => {
      const answer = await requestWork(send, `${path}/answer`, asked, signal);
      await readWorkStream(answer, SearchAnswerEvent, (event) => {
        const asking = askingOf(event);
        onEvent(asking);
        return asking.type !== "point.came";
      });
    },
  };
}

function askingOf(event: SearchAnswerEvent): Asking {
  if ("point" in event) return { type: "point.came", point: event.point };
  if ("answered" in event) return { type: "answer.came", answer: event.answered };
  return { type: "asking.failed", code: failureCode(event.error.code) };
}
