import type { InsightModel } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { isLoopbackHost } from "#server/http/loopback.ts";
import { RemoteError, withAdvice } from "#server/http/remote.ts";
import type { Log } from "#server/log/log.ts";
import type { Limit } from "#server/session/throttle.ts";
import { type Chat, openChatClient } from "#server/translation/chat-client.ts";

/** The operator's language model. */
export interface LanguageModel {
  chat: Chat;
  /** Its context in tokens, including the answer. */
  contextTokens: number;
  /** Requests of one person. */
  limit: Limit;
  /** It runs on this machine. */
  offline: boolean;
}

interface LanguageModelConfig {
  apiUrl?: string;
  apiKey?: string;
  apiModel: string;
  /** The ms without output after which a request fails. */
  apiTimeoutMs: number;
  contextTokens: number;
  /** The requests per person and hour. */
  perHour: number;
}

/** @returns undefined when none is configured (LLM_API_URL) */
export function openLanguageModel(config: LanguageModelConfig): LanguageModel | undefined {
  const { apiUrl: url, apiKey: key, apiModel: model, apiTimeoutMs: timeoutMs, contextTokens, perHour } = config;
  if (url === undefined) return undefined;
  const offline = isLoopbackHost(new URL(url).hostname);
  const limit: Limit = { name: "language-model", max: perHour, windowMs: 60 * 60_000 };
  return { chat: openChatClient({ url, key, model, timeoutMs }), contextTokens, limit, offline };
}

const variables = ["LLM_API_URL", "LLM_API_KEY", "LLM_API_MODEL"];

/** Translates a failure of the model for the caller; other errors stay as they are. */
export function asChatProblem(error: unknown, { chat }: Pick<LanguageModel, "chat">, log: Log): unknown {
  if (!(error instanceof RemoteError)) return error;
  log.warn("language model failed", { host: chat.host, model: chat.model, kind: error.kind, error: error.message });
  return new Problem("chatFailed", `Language model: ${withAdvice(error, variables)}`, { cause: error });
}

/** The model's description for users. */
export const modelOf = ({ chat, offline }: LanguageModel): InsightModel => ({ name: chat.model, host: chat.host, offline });
