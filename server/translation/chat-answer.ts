import { createParser } from "eventsource-parser";
import * as v from "valibot";
import { orNothing, parseLenient } from "#server/http/lenient-json.ts";
import { RemoteError, serverAt, unusable } from "#server/http/remote.ts";

const wanted = "a chat answer";
/** Longest answer (characters): models can loop. */
const maxAnswer = 100_000;

/** A text, or parts, of which some are text; others are thoughts, or pictures. */
const Content = v.union([
  v.string(),
  v.pipe(
    v.array(v.fallback(v.object({ type: v.fallback(v.string(), "text"), text: v.string() }), { type: "", text: "" })),
    v.transform((parts) => parts.map(({ type, text }) => (/^(?:output_)?text$/.test(type) ? text : "")).join("")),
  ),
]);
const Message = orNothing(v.object({ content: orNothing(Content) }));
const Choice = v.object({
  delta: Message,
  message: Message,
  /** Used by the completions API. */
  text: orNothing(v.string()),
  finish_reason: orNothing(v.string()),
});
/** A whole answer, or one event of a streamed one. The first event may contain only a role, and the last no choice. */
const Chunk = v.object({
  choices: orNothing(v.tupleWithRest([Choice], v.unknown())),
  usage: orNothing(v.looseObject({})),
  error: v.optional(v.unknown()),
  object: v.optional(v.unknown()),
});

interface ReadOptions {
  /** The server, for error messages. */
  source: Source;
  onText(text: string): void;
  /** Called when more of the response has arrived. */
  onLife?(): void;
}

interface Source {
  url: string;
  key: string | undefined;
}

/**
 * Reads an answer of OpenAI's chat API, streamed or not, whatever was requested and whatever content type it states.
 * @returns why the model stopped: "stop", "length"; undefined when the server does not say
 * @throws RemoteError; errors of reading the response and of `onText`, after which reading stops
 */
export async function readChatAnswer(response: Response, { source, onText, onLife }: ReadOptions): Promise<string | undefined> {
  const answer = new ChatAnswer(source, onText);
  const decoder = new TextDecoder();
  let size = 0;
  for await (const bytes of response.body ?? []) {
    onLife?.();
    size += bytes.byteLength;
    // Each piece is wrapped in about 300 bytes of JSON.
    if (size > maxAnswer * 300) throw tooLong(source);
    answer.feed(decoder.decode(bytes, { stream: true }));
    if (answer.isDone) return answer.reason;
  }
  answer.feed(decoder.decode());
  answer.end();
  return answer.reason;
}

class ChatAnswer {
  isDone = false;
  reason: string | undefined;
  readonly #source: Source;
  readonly #onText: (text: string) => void;
  /** Undefined until the beginning of the answer tells. */
  #isStream: boolean | undefined;
  /** The text until then, or the whole of an answer that is not a stream. */
  #whole = "";
  #length = 0;
  #isEnding = false;
  #hasEvents = false;
  #hasDelta = false;
  /** A usage without a choice follows the text. */
  #hasUsage = false;
  readonly #events = createParser({
    maxBufferSize: maxAnswer * 10,
    // Unknown fields are ignored, as the specification of event streams requires.
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") throw tooLong(this.#source);
    },
    onEvent: ({ data }) => this.#takeEvent(data),
  });

  constructor(source: Source, onText: (text: string) => void) {
    this.#source = source;
    this.#onText = onText;
  }

  feed(text: string): void {
    if (this.#isStream === true) {
      this.#events.feed(text);
      return;
    }
    this.#whole += text;
    if (this.#whole.length > maxAnswer * 10) throw tooLong(this.#source);
    if (this.#isStream !== undefined || this.#whole.trim() === "") return;
    this.#isStream = !/^\s*[{["<]/.test(this.#whole);
    if (this.#isStream) this.#events.feed(this.#whole);
  }

  /** Ends the response. @throws RemoteError when it ends prematurely */
  end(): void {
    if (this.#isStream === true) {
      this.#endStream();
      return;
    }
    const data = parseLenient(this.#whole) ?? this.#whole;
    if (!this.#take(data)) throw unusable(this.#source, data, wanted);
  }

  #endStream(): void {
    this.#isEnding = true;
    // The empty line after the last event may be missing.
    this.#events.feed("\n\n");
    if (this.isDone || this.reason !== undefined || this.#hasUsage) return;
    if (!this.#hasEvents) throw unusable(this.#source, "", wanted);
    throw new RemoteError("unreachable", `${serverAt(this.#source.url)} ended in the middle of its answer.`);
  }

  #takeEvent(data: string): void {
    this.#hasEvents = true;
    // Some servers leave out the empty line between events.
    for (const one of parseLenient(data) === undefined ? data.split("\n") : [data]) {
      if (this.isDone || one.trim() === "") continue;
      const chunk = parseLenient(one);
      if (one.trim() === "[DONE]") this.isDone = true;
      // The last event may be cut off.
      else if (chunk !== undefined || !this.#isEnding) this.#take(chunk ?? one);
    }
  }

  /** @returns whether the event has a text, which may be empty */
  #take(data: unknown): boolean {
    const parsed = v.safeParse(Chunk, data);
    if (!parsed.success || parsed.output.error || parsed.output.object === "error") {
      throw unusable(this.#source, data, wanted);
    }
    const { choices, usage } = parsed.output;
    this.#hasUsage ||= choices === undefined && usage !== undefined && this.#length > 0;
    if (choices === undefined) return false;
    const [{ delta, message, text, finish_reason: reason = "" }] = choices;
    this.#hasDelta ||= delta !== undefined;
    // After deltas, a message repeats the whole text, so it is ignored.
    const said = delta?.content ?? (this.#hasDelta ? undefined : (message?.content ?? text));
    this.#say(said ?? "");
    if (reason === "error") throw unusable(this.#source, data, wanted);
    if (reason === "content_filter") {
      throw new RemoteError("garbage", `${serverAt(this.#source.url)} stopped the model by its content filter.`);
    }
    if (reason !== "") this.reason = reason;
    return said !== undefined || message !== undefined;
  }

  #say(text: string): void {
    this.#length += text.length;
    if (this.#length > maxAnswer) throw tooLong(this.#source);
    if (text !== "") this.#onText(text);
  }
}

function tooLong({ url }: Source): RemoteError {
  return new RemoteError("garbage", `${serverAt(url)} sends an endless answer.`);
}
