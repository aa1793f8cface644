import { type GenericSchema, type InferOutput, safeParse } from "valibot";
import { ErrorBody, type ErrorCode } from "#contract/index.ts";
import { isServerRendered, pageAddress, pageFact } from "#src/browser/server-rendered.ts";

type ApiErrorParts = Partial<Pick<ApiError, "said" | "retryAfter">>;

/**
 * A failed call. `code` selects the text for the user (`errors.<code>` in the locale files); `message` is the server's.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The answer's status; 0 without an answer. */
  readonly status: number;
  readonly code: ErrorCode;
  /** Whether the server sent its own `code`, or only a message; undefined without either. */
  readonly said: "code" | "message" | undefined;
  /** Seconds to wait before the next attempt, if the server has sent them. */
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
 * Calls the API. `path` begins with a slash. Includes cookies.
 * @throws ApiError without an answer, and for every status outside 200-299; an abort's own reason
 */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

interface CallOptions<S> {
  /** Default: GET, or POST with `json`. */
  method?: string;
  /** Sent as the body. */
  json?: unknown;
  /** The answer's schema; an empty body is validated as undefined. */
  schema: S;
  signal?: AbortSignal | undefined;
  /** Whether the request is sent even if the page is closed meanwhile. Its body must have less than 64 KiB. */
  keepalive?: boolean;
}

/**
 * Calls the API for validated JSON.
 * @throws ApiError as `Send` does, and `internal` with the answer's status for a body that does not match the schema
 */
export type Call = <S extends GenericSchema>(path: string, options: CallOptions<S>) => Promise<InferOutput<S>>;

/** The part of the session that `createSend` needs. */
export interface TokenSource {
  /** A valid token, refreshed if needed; undefined when nobody is signed in. */
  live(signal?: AbortSignal): Promise<string | undefined>;
  /** The current token, even if expired; undefined when nobody is signed in. */
  held(): string | undefined;
  /** The token that replaces `refused`, which got a 401. @throws ApiError 401 when there is none */
  renewed(refused: string, signal?: AbortSignal): Promise<string>;
}

/** When the call can be repeated, by this device's clock (epoch ms), if the server has said so. */
export const waitOf = (error: unknown): { until?: number } =>
  error instanceof ApiError && error.retryAfter !== undefined ? { until: Date.now() + error.retryAfter * 1000 } : {};

/** Whether the server does not know the call at all. */
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
 * Calls of SPEC.md section 7 whose 404 means that the resource does not exist. Any other 404 without a code means that
 * the server does not know the call.
 */
const specifiedCalls =
  /^(GET \/users\/me(?!\/)|[A-Z]+ \/(auth\/(refresh|login|register|logout)|subscriptions\/(me|cancel|create-checkout-session|account\/(subscription|(checkout|cancel|billing)-\w+))|blog(?!\/[^/]+\/view)|admin\/blog(?!\/(slug|bulk))|audio\/remove-transcription|languages|api\/v1\/audio-transcriptions\/(transcription-history|save-final-transcription)))\b/;

/** SPEC.md section 6: the message for users who are no superusers, from servers without error codes. */
const adminRequired = /admin access required/i;

/** Calls that start, renew and end a session: their 401 is a result, not a reason to refresh (SPEC.md section 4). */
function isAuthPath(path: string): boolean {
  return path.startsWith("/auth/");
}

/** Calls the API without a token. @param base the API's base URL, without a trailing slash */
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

/**
 * Calls the API with the session's token. A 401 leads to one refresh and one retry (SPEC.md section 4, "Unauthorised
 * answers").
 */
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

/**
 * Calls the API for a user's own data. Sends nothing if the user has just signed out while a page was still loading.
 * @param accessToken throws when nobody is signed in; its error becomes the call's
 */
export function createOwnSend(send: Send, accessToken: (signal?: AbortSignal) => Promise<string>): Send {
  return async (path, init) => {
    await accessToken(init?.signal ?? undefined);
    return send(path, init);
  };
}

/** A POST request with a JSON body. */
export const jsonBody = (json: unknown) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(json),
});

export function createCall(send: Send): Call {
  return async (path, { method, json, schema, signal, keepalive = false }) => {
    const request = json === undefined ? { method: "GET" } : jsonBody(json);
    const response = await send(path, { ...request, ...(method !== undefined && { method }), signal: signal ?? null, keepalive });
    const answer = safeParse(schema, await readJson(response, signal));
    if (answer.success) return answer.output;
    const issues = answer.issues.map((issue) => issue.message).join(" ");
    throw new ApiError(response.status, "internal", `The answer to ${path} is not as promised: ${issues}`);
  };
}

/** The same request for both attempts. A stream can be read only once, so it is duplicated for the second attempt. */
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

/** Passes an abort on, because a cancelled call is no error to report. */
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
    // The status already describes the failure. A body that is no JSON (a proxy's page) adds nothing.
  }
  return new ApiError(response.status, fallback, undefined, { retryAfter });
}

/** Ignores a date, which a proxy may send instead of seconds. */
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
    // The body is empty or "OK". A caller that needs more requires it by its schema.
    return undefined;
  }
}

/**
 * The API's base URL (SPEC.md section 7): the one configured in the served page, else port 3000 of the page's host if
 * that is localhost or an IP address, else the hosted one. Without a trailing slash; "" is the page's own origin.
 */
export function findApiBase(place: { meta: string | undefined; hostname: string; hosted: string | undefined }): string {
  const named = place.meta?.trim() || (isLocal(place.hostname) ? `http://${place.hostname}:3000` : (place.hosted ?? ""));
  return named.replace(/\/+$/, "");
}

function isLocal(hostname: string): boolean {
  return hostname === "localhost" || hostname.startsWith("[") || /^\d{1,3}(\.\d{1,3}){3}$/.test(hostname);
}

const baseHere = () =>
  findApiBase({ meta: pageFact("api"), hostname: new URL(pageAddress()).hostname, hosted: import.meta.env.VITE_API_URL });

/** The empty string in Node (tests and the renderer), which has no page. */
export const apiBase: string = typeof document === "undefined" ? "" : baseHere();

/** The origins of the page and the API, for addresses in rendered content. Also works in the renderer. */
export const places = (): { page: string; api: string } => ({
  page: pageAddress(),
  api: isServerRendered() ? baseHere() : apiBase,
});
