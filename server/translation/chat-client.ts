import { createParser } from "eventsource-parser";
import * as v from "valibot";
import { askRemote, below, callRemote, RemoteError } from "#server/http/remote.ts";

export interface ChatConfig {
  /** "https://api.openai.com/v1" */
  url: string;
  key?: string | undefined;
  /** Default "gpt-4o-mini". */
  model?: string | undefined;
  /** Timeout without data, in milliseconds: before an answer, and within a streamed one. Default 60,000. */
  timeoutMs?: number;
}

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

interface ChatOptions {
  /** Temperature, from 0 (deterministic) to 1. The server's default if absent. */
  temperature?: number;
  /** Requests a JSON object as the answer. */
  json?: boolean;
  signal?: AbortSignal | undefined;
}

/** A server with OpenAI's chat API. Failures are RemoteErrors, whose messages never contain the key. */
export interface Chat {
  model: string;
  /** "api.openai.com" */
  host: string;
  /** Sends a request and waits for the whole answer. @throws RemoteError; the signal's reason when it is aborted */
  complete(messages: readonly ChatMessage[], options?: ChatOptions): Promise<string>;
  /**
   * Streams the answer; one that stops before its end is an error.
   * @throws RemoteError; the signal's reason when it is aborted; what `onText` throws, after which reading stops
   */
  stream(messages: readonly ChatMessage[], onText: (text: string) => void, options?: ChatOptions): Promise<void>;
}

/** Limits of a streamed answer: total time, in timeouts, and length (characters): models can loop. */
const wholeTimes = 5;
const maxAnswer = 100_000;

const Completion = v.object({
  choices: v.tupleWithRest([v.object({ message: v.object({ content: v.string() }) })], v.unknown()),
});

/** One event of a stream: a piece, its end, or an error. The first has only a role, the last of some servers no choice. */
const Chunk = v.object({
  choices: v.optional(
    v.array(
      v.object({
        delta: v.optional(v.object({ content: v.nullish(v.string()) })),
        finish_reason: v.nullish(v.string()),
      }),
    ),
  ),
  error: v.optional(v.unknown()),
});

export function openChatClient({ url, key, model = "gpt-4o-mini", timeoutMs = 60_000 }: ChatConfig): Chat {
  const callOf = (messages: readonly ChatMessage[], { temperature, json }: ChatOptions, stream: boolean) => ({
    url: below(url, "chat/completions"),
    key,
    body: {
      model,
      messages,
      ...(temperature === undefined ? {} : { temperature }),
      ...(json === true ? { response_format: { type: "json_object" } } : {}),
      ...(stream ? { stream: true } : {}),
    },
  });
  return {
    model,
    host: new URL(url).host,
    complete: async (messages, options = {}) => {
      const call = { ...callOf(messages, options, false), schema: Completion, timeoutMs, signal: options.signal };
      return (await callRemote(call)).choices[0].message.content;
    },
    stream: async (messages, onText, options = {}) => {
      using silence = watchSilence(timeoutMs);
      const signal = options.signal === undefined ? silence.signal : AbortSignal.any([options.signal, silence.signal]);
      const call = { ...callOf(messages, options, true), accept: "text/event-stream", timeoutMs: timeoutMs * wholeTimes, signal };
      const answer = await askRemote({ ...call, onAttempt: silence.begin, onPause: silence.end });
      try {
        await readAnswer(answer, onText, silence.begin);
      } catch (error) {
        throw readingFailure(error, signal);
      }
    },
  };
}

/** Aborts unless it is restarted in time. */
function watchSilence(timeoutMs: number): Disposable & { signal: AbortSignal; begin(): void; end(): void } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = () => clearTimeout(timer);
  const begin = () => {
    end();
    const tooLong = () => controller.abort(new RemoteError("timeout", `The server was silent for ${timeoutMs / 1000} s.`));
    timer = setTimeout(tooLong, timeoutMs);
  };
  return { signal: controller.signal, begin, end, [Symbol.dispose]: end };
}

/** Maps an error during reading to our own. */
function readingFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof Error && error.name === "TimeoutError") {
    return new RemoteError("timeout", "The server's answer did not come to its end.", { cause: error });
  }
  // fetch reports a lost connection as a TypeError; ours are others.
  if (error instanceof TypeError)
    return new RemoteError("unreachable", "The connection to the server broke off.", { cause: error });
  return error;
}

async function readAnswer(answer: Response, onText: (text: string) => void, onLife: () => void): Promise<void> {
  if (answer.body === null) throw new RemoteError("garbage", "The server's answer is empty.");
  const isStream = /^text\/event-stream\b/i.test(answer.headers.get("content-type") ?? "");
  // Some servers can't stream and send the whole answer.
  const reader = isStream ? chunkReader(limited(onText)) : wholeReader(limited(onText));
  const decoder = new TextDecoder();
  let size = 0;
  for await (const bytes of answer.body) {
    onLife();
    size += bytes.byteLength;
    // Each piece is wrapped in some 300 bytes of JSON.
    if (size > maxAnswer * 300) throw tooLong();
    reader.feed(decoder.decode(bytes, { stream: true }));
    if (reader.isDone()) return;
  }
  reader.end();
}

interface AnswerReader {
  feed(text: string): void;
  isDone(): boolean;
  /** The end of the stream. @throws RemoteError when it is premature */
  end(): void;
}

function chunkReader(onText: (text: string) => void): AnswerReader {
  let finished = false;
  let done = false;
  const parser = createParser({
    maxBufferSize: maxAnswer * 10,
    // Unknown fields are ignored, as the specification of event streams demands.
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") throw tooLong();
    },
    onEvent: ({ data }) => {
      if (done) return;
      if (data === "[DONE]") {
        done = true;
        return;
      }
      const [choice] = chunkOf(data).choices ?? [];
      const text = choice?.delta?.content ?? "";
      if (text !== "") onText(text);
      const reason = choice?.finish_reason ?? "";
      if (reason === "length") throw new RemoteError("garbage", "The model stopped at its limit, before the end of the text.");
      if (reason === "content_filter") throw new RemoteError("garbage", "The server's content filter stopped the model.");
      if (reason !== "") finished = true;
    },
  });
  return {
    feed: (text) => parser.feed(text),
    isDone: () => done,
    end: () => {
      if (!finished) throw new RemoteError("unreachable", "The server's answer breaks off in the middle.");
    },
  };
}

function chunkOf(data: string): v.InferOutput<typeof Chunk> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Chunk), data);
  if (!parsed.success) throw new RemoteError("garbage", "The server's answer is not what this API answers.");
  const { error } = parsed.output;
  if (error === undefined || error === null) return parsed.output;
  throw new RemoteError("garbage", "The server broke off with an error.");
}

function wholeReader(onText: (text: string) => void): AnswerReader {
  let whole = "";
  return {
    feed: (text) => {
      whole += text;
      if (whole.length > maxAnswer * 2) throw tooLong();
    },
    isDone: () => false,
    end: () => {
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Completion), whole);
      if (!parsed.success) throw new RemoteError("garbage", "The server's answer is not what this API answers.");
      onText(parsed.output.choices[0].message.content);
    },
  };
}

function limited(onText: (text: string) => void): (text: string) => void {
  let length = 0;
  return (text) => {
    length += text.length;
    if (length > maxAnswer) throw tooLong();
    onText(text);
  };
}

function tooLong(): RemoteError {
  return new RemoteError("garbage", "The model does not come to an end.");
}
