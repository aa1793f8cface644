import { type GenericSchema, type InferOutput, safeParse } from "valibot";
import { ErrorBody, type ErrorCode } from "./contract/index.ts";

type ApiErrorParts = Partial<Pick<ApiError, "said" | "retryAfter">>;

/** A call that did not work. `code` is what `errors.<code>` in the locale files says to the person; `message` is the server's. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** Of the answer; 0 when there was none. */
  readonly status: number;
  readonly code: ErrorCode;
  /** What the server said itself: a `code`, or only a message of its own; undefined when it said nothing. */
  readonly said: "code" | "message" | undefined;
  /** Seconds to wait before the next attempt, where the server said so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, code: ErrorCode, message?: string, options: ErrorOptions & ApiErrorParts = {}) {
    super(message ?? `${status} ${code}`, options);
    this.status = status;
    this.code = code;
    this.said = options.said;
    this.retryAfter = options.retryAfter;
  }
}

/**
 * Asks the API. `path` begins with a slash. Cookies are included.
 * @throws ApiError when no answer came, and for every status outside 200-299; an abort's own reason
 */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

export interface CallOptions<S> {
  /** Default GET, or POST when there is `json`. */
  method?: string;
  /** Sent as the body. */
  json?: unknown;
  /** What the answer must look like; an empty body is checked as undefined. */
  schema: S;
  signal?: AbortSignal | undefined;
}

/**
 * Asks the API for JSON that is checked before anyone sees it.
 * @throws ApiError as `Send` does, and `internal` with the answer's status for a body that is not as promised
 */
export type Call = <S extends GenericSchema>(path: string, options: CallOptions<S>) => Promise<InferOutput<S>>;

/** What `createSend` wants of the session. */
export interface TokenSource {
  /** A token with life in it, waiting for a refresh when there is need; undefined when nobody is signed in. */
  live(signal?: AbortSignal): Promise<string | undefined>;
  /** The token at hand, whatever its life; undefined when nobody is signed in. */
  held(): string | undefined;
  /** The token that follows `refused`, which was answered with 401. @throws ApiError 401 when there is none to be had */
  renewed(refused: string, signal?: AbortSignal): Promise<string>;
}

/** The server does not know the call at all. */
export const isNotOffered = (error: unknown): boolean => error instanceof ApiError && error.code === "notOffered";

const statusCodes: Readonly<Record<number, ErrorCode>> = {
  400: "badRequest",
  401: "unauthorized",
  403: "forbidden",
  404: "notFound",
  410: "gone",
  413: "tooLarge",
  422: "badRequest",
  429: "tooManyRequests",
  507: "storageFull",
};

/**
 * Calls of SPEC.md section 7 whose 404 is about what was asked for. Another one's 404, unless it says more, is that of a server that does
 * not know the call.
 */
const specifiedCalls =
  /^(GET \/users\/me(?!\/)|[A-Z]+ \/(auth\/(refresh|login|register|logout)|subscriptions\/(me|cancel|create-checkout-session|account\/(subscription|(checkout|cancel|billing)-\w+))|blog(?!\/[^/]+\/view)|admin\/blog(?!\/(slug|bulk))|audio\/remove-transcription|languages|api\/v1\/audio-transcriptions\/(transcription-history|save-final-transcription)))\b/;

/** SPEC.md section 6: how anybody but a superuser is answered, by servers that have no codes. */
const adminRequired = /admin access required/i;

/** The calls that make, renew and end a sign-in: a 401 of theirs is their answer, not a reason to refresh (SPEC.md section 4). */
export function isAuthPath(path: string): boolean {
  return path.startsWith("/auth/");
}

/** Asks without a token. @param base address of the API, without a slash at its end */
export function createPlainSend(base: string, ask: typeof fetch): Send {
  return async (path, init) => {
    init?.signal?.throwIfAborted();
    let response: Response;
    try {
      response = await ask(`${base}${path}`, { credentials: "include", ...init });
    } catch (cause) {
      throw noAnswer(cause, init?.signal);
    }
    if (!response.ok) throw await refusal(response, `${init?.method ?? "GET"} ${path}`);
    return response;
  };
}

/** Asks with the session's token; a 401 is followed by one refresh and one more try (SPEC.md section 4, "Unauthorised answers"). */
export function createSend(plain: Send, tokens: TokenSource): Send {
  return async (path, init = {}) => {
    const signal = init.signal ?? undefined;
    const token = isAuthPath(path) ? tokens.held() : await tokens.live(signal);
    if (token === undefined || isAuthPath(path)) return plain(path, token === undefined ? init : withBearer(init, token));
    const [first, again] = twice(init);
    try {
      return await plain(path, withBearer(first, token));
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
    }
    return plain(path, withBearer(again, await tokens.renewed(token, signal)));
  };
}

export function createCall(send: Send): Call {
  return async (path, { method, json, schema, signal }) => {
    const body = json === undefined ? {} : { body: JSON.stringify(json), headers: { "Content-Type": "application/json" } };
    const response = await send(path, {
      method: method ?? (json === undefined ? "GET" : "POST"),
      signal: signal ?? null,
      ...body,
    });
    const answer = safeParse(schema, await readJson(response, signal));
    if (answer.success) return answer.output;
    const issues = answer.issues.map((issue) => issue.message).join(" ");
    throw new ApiError(response.status, "internal", `The answer to ${path} is not as promised: ${issues}`);
  };
}

/** The same request for two tries. A stream can be read once only: what the first try takes of it is kept for the second. */
function twice(init: RequestInit): [RequestInit, RequestInit] {
  if (!(init.body instanceof ReadableStream)) return [init, init];
  const [first, again] = init.body.tee();
  return [
    { ...init, body: first },
    { ...init, body: again },
  ];
}

export function withBearer(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${token}`);
  return { ...init, headers };
}

/** An abort stays what it is: nobody wants to be told of what was called off. */
function noAnswer(cause: unknown, signal: AbortSignal | null | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  return new ApiError(0, "network", cause instanceof Error ? cause.message : undefined, { cause });
}

async function refusal(response: Response, call: string): Promise<ApiError> {
  const isUnknown = [404, 405, 501].includes(response.status) && !specifiedCalls.test(call);
  const fallback = isUnknown ? "notOffered" : (statusCodes[response.status] ?? "internal");
  const meant = (message: string) => (adminRequired.test(message) ? "adminRequired" : fallback);
  const retryAfter = secondsIn(response.headers.get("Retry-After"));
  try {
    const body = safeParse(ErrorBody, await response.json());
    if (body.success) {
      const { code, message } = body.output;
      return new ApiError(response.status, code ?? meant(message), message, { said: code ? "code" : "message", retryAfter });
    }
  } catch {
    // What failed is told by the status already; a body that is no JSON (a proxy's page) adds nothing.
  }
  return new ApiError(response.status, fallback, undefined, { retryAfter });
}

/** A proxy may send a date instead, which is not worth its reading. */
function secondsIn(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

async function readJson(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch (cause) {
    throw noAnswer(cause, signal);
  }
  try {
    return JSON.parse(text);
  } catch {
    // Nothing, or "OK": whoever wants more of the answer than that it came says so by its schema.
    return undefined;
  }
}

/**
 * Where the API is (SPEC.md section 7): as the server that gave out the page says; else port 3000 of the page's own host when that is
 * localhost or an address; else the hosted one. Without a slash at its end; "" is the page's own origin.
 */
export function findApiBase(place: { meta: string | undefined; hostname: string; hosted: string | undefined }): string {
  const named = place.meta?.trim() || (isLocal(place.hostname) ? `http://${place.hostname}:3000` : (place.hosted ?? ""));
  return named.replace(/\/+$/, "");
}

function isLocal(hostname: string): boolean {
  return hostname === "localhost" || hostname.startsWith("[") || /^\d{1,3}(\.\d{1,3}){3}$/.test(hostname);
}

/** In Node (tests), where there is no page, the empty one. */
export const apiBase: string =
  typeof document === "undefined"
    ? ""
    : findApiBase({
        meta: document.querySelector<HTMLMetaElement>('meta[name="parlance-api"]')?.content,
        hostname: location.hostname,
        hosted: import.meta.env.VITE_API_URL,
      });
