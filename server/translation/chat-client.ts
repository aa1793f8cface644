import { refusalOf, rememberRefusals } from "#server/http/optional-fields.ts";
import { askRemote, below, RemoteError, type RemoteRequest, serverAt } from "#server/http/remote.ts";
import { readChatAnswer } from "./chat-answer.ts";
import { withoutThoughts } from "./thoughts.ts";

export interface ChatConfig {
  /** "https://api.openai.com/v1" */
  url: string;
  key?: string | undefined;
  /** Default "gpt-4o-mini". */
  model?: string | undefined;
  /** Longest silence in milliseconds: before an answer, and within a streamed one. Default 60,000. */
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

interface StreamOptions extends ChatOptions {
  onText(text: string): void;
  /** Called when the text so far turns out to be the model's thoughts: the answer begins now. */
  onRestart(): void;
}

/** A server with OpenAI's chat API. Failures are RemoteErrors, whose messages never contain the key. */
export interface Chat {
  model: string;
  /** "api.openai.com" */
  host: string;
  /**
   * Sends a request and waits for the whole answer, without the model's thoughts. @throws RemoteError; the signal's
   * reason when it is aborted
   */
  complete(messages: readonly ChatMessage[], options?: ChatOptions): Promise<string>;
  /**
   * Streams the answer, without the model's thoughts. A premature end is an error.
   * @throws RemoteError; the signal's reason when it is aborted; errors of `onText`, after which reading stops
   */
  stream(messages: readonly ChatMessage[], options: StreamOptions): Promise<void>;
}

/** Limit of the total time of a streamed answer, in multiples of the timeout. */
const wholeTimes = 5;

/** The finish reasons for reaching the model's limit: OpenAI, Mistral, Gemini. */
const atLimit = /^(?:model_)?length$|^max_tokens$/i;

/** Fields that some servers and models refuse. */
const responseFormat = { key: "response_format", pattern: /response_format|json_object|json mode/i };
const temperatureField = { key: "temperature", pattern: refusalOf("temperature") };

export function openChatClient({ url: base, key, model = "gpt-4o-mini", timeoutMs = 60_000 }: ChatConfig): Chat {
  const source = { url: below(base, "chat/completions"), key };
  const askWithout = rememberRefusals();
  /** Whether the model's thoughts come without an opening tag. */
  let isThinker = false;
  const ask = (
    messages: readonly ChatMessage[],
    { temperature, json = false }: ChatOptions,
    call: Omit<RemoteRequest, "url" | "key" | "body">,
  ) => {
    const fields = [...(json ? [responseFormat] : []), ...(temperature === undefined ? [] : [temperatureField])];
    return askWithout(fields, (leftOut) => {
      const body = {
        model,
        messages,
        ...(temperature === undefined || leftOut.has(temperatureField.key) ? {} : { temperature }),
        ...(json && !leftOut.has(responseFormat.key) ? { response_format: { type: "json_object" } } : {}),
        ...(call.accept === undefined ? {} : { stream: true }),
      };
      return askRemote({ ...source, body, ...call });
    });
  };
  const read = async (
    response: Response,
    { onText, onRestart, onLife }: Pick<StreamOptions, "onText" | "onRestart"> & { onLife?: () => void },
  ) => {
    const restart = () => {
      isThinker = true;
      onRestart();
    };
    const thoughts = withoutThoughts({ isThinker, onText, onRestart: restart });
    const reason = await readChatAnswer(response, { source, onText: thoughts.feed, ...(onLife && { onLife }) });
    thoughts.end();
    return reason;
  };
  return {
    model,
    host: new URL(base).host,
    complete: async (messages, options = {}) => {
      const response = await ask(messages, options, { timeoutMs, signal: options.signal });
      let text = "";
      const onText = (more: string) => {
        text += more;
      };
      const onRestart = () => {
        text = "";
      };
      try {
        await read(response, { onText, onRestart });
      } catch (error) {
        throw readingFailure(error, source.url, options.signal);
      }
      return text;
    },
    stream: async (messages, options) => {
      using silence = watchSilence(timeoutMs, source.url);
      const signal = options.signal === undefined ? silence.signal : AbortSignal.any([options.signal, silence.signal]);
      const call = { accept: "text/event-stream", timeoutMs: timeoutMs * wholeTimes, signal };
      const response = await ask(messages, options, { ...call, onAttempt: silence.begin, onPause: silence.end });
      try {
        const reason = await read(response, { ...options, onLife: silence.begin });
        if (reason !== undefined && atLimit.test(reason))
          throw new RemoteError("garbage", `${serverAt(source.url)} stopped the model at its limit before the end of the text.`);
      } catch (error) {
        throw readingFailure(error, source.url, signal);
      }
    },
  };
}

/** Aborts unless `begin` is called again in time. */
function watchSilence(timeoutMs: number, url: string): Disposable & { signal: AbortSignal; begin(): void; end(): void } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = () => clearTimeout(timer);
  const begin = () => {
    end();
    const said = `${serverAt(url)} sent nothing for ${timeoutMs / 1000} s.`;
    const tooLong = () => controller.abort(new RemoteError("timeout", said));
    timer = setTimeout(tooLong, timeoutMs);
  };
  return { signal: controller.signal, begin, end, [Symbol.dispose]: end };
}

/** Maps an error during reading to our own. */
function readingFailure(error: unknown, url: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (error instanceof Error && error.name === "TimeoutError") {
    return new RemoteError("timeout", `${serverAt(url)} did not finish its answer.`, { cause: error });
  }
  // fetch reports a lost connection as a TypeError; our own errors have other types.
  if (!(error instanceof TypeError)) return error;
  return new RemoteError("unreachable", `The connection to the server at ${new URL(url).host} broke off.`, { cause: error });
}
