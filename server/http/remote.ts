import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { firstIssue } from "./json.ts";
import { parseLenient, shapeOf } from "./lenient-json.ts";

/** A failed call to another server. The message never contains the key. */
export class RemoteError extends Error {
  readonly kind: "timeout" | "unreachable" | "status" | "garbage";
  /** The response's status, with kind "status". */
  readonly status: number | undefined;
  /** Whether the server's complaint names something ("response_format"); never for a web page, which a proxy sends. */
  readonly names: (what: RegExp) => boolean;
  constructor(kind: RemoteError["kind"], message: string, options?: ErrorOptions & { status?: number; body?: string }) {
    super(message, options);
    this.name = "RemoteError";
    this.kind = kind;
    this.status = options?.status;
    this.names = (what) => !/^\s*</.test(options?.body ?? "") && what.test(options?.body ?? "");
  }
}

export interface RemoteRequest {
  url: string;
  /** FormData is sent as it is, anything else as JSON; without a body the method is GET. */
  body?: unknown;
  /** Sent as a bearer token. */
  key?: string | undefined;
  /** Content type of the response. Default: JSON. */
  accept?: string;
  /** Per attempt, including its response, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Called before each attempt, and before the wait after a failed one. */
  onAttempt?: () => void;
  onPause?: () => void;
}

export interface RemoteCall<Schema extends v.GenericSchema> extends RemoteRequest {
  schema: Schema;
  /** The schema's description for errors: "a transcription". */
  wanted: string;
  /** Parses the response. Default: lenient JSON. */
  parse?: (body: string) => unknown;
}

/** Total attempts when the server is busy (429, 503)... */
const attempts = 4;
/** ... after the time it names, otherwise 1, 2, 4 s; a longer wait than this counts as a failure (ms). */
const longestPause = 30_000;
/**
 * The maximum bytes of a JSON answer: a minute of speech with word times has about 50,000, a batch of translations
 * less.
 */
const maxAnswer = 16 * 1024 * 1024;
/** An error message of the server is cut to this length (characters). */
const complaintLimit = 300;
/** The body in which it may stand (bytes). */
const maxComplaint = 64 * 1024;

/**
 * Calls a JSON API.
 * @throws RemoteError; the signal's reason when it is aborted
 */
export async function callRemote<Schema extends v.GenericSchema>(call: RemoteCall<Schema>): Promise<v.InferOutput<Schema>> {
  return await understood(await askRemote(call), call);
}

/**
 * Sends a request and retries while the server is busy; resolves with a successful response, its body unread.
 * @throws RemoteError; the signal's reason when it is aborted
 */
export async function askRemote(call: RemoteRequest): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    call.onAttempt?.();
    const answer = await send(call);
    if (answer.ok) return answer;
    const wait = answer.status === 429 || answer.status === 503 ? pauseBefore(answer, attempt) : undefined;
    if (wait === undefined) throw await refusal(answer, call);
    await answer.body?.cancel();
    call.onPause?.();
    await paused(wait, call.signal);
  }
}

/** @throws the signal's reason when it is aborted */
async function paused(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pause(ms, undefined, { signal });
  } catch (error) {
    throw signal?.aborted === true ? signal.reason : error;
  }
}

async function send({ url, body, key, accept = "application/json", timeoutMs, signal }: RemoteRequest): Promise<Response> {
  const headers = new Headers({ accept });
  if (key !== undefined && key !== "") headers.set("authorization", `Bearer ${key}`);
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set("content-type", "application/json");
  const limit = AbortSignal.timeout(timeoutMs);
  const init: RequestInit = { headers, signal: signal === undefined ? limit : AbortSignal.any([signal, limit]) };
  if (body !== undefined) Object.assign(init, { method: "POST", body: isForm ? body : JSON.stringify(body) });
  try {
    return await fetch(url, init);
  } catch (error) {
    throw failure(error, { url, signal, timeoutMs });
  }
}

/** The ms before the next attempt; undefined if there is none. */
function pauseBefore(answer: Response, attempt: number): number | undefined {
  if (attempt >= attempts) return undefined;
  const named = answer.headers.get("retry-after");
  if (named === null) return 1000 * 2 ** (attempt - 1);
  const seconds = Number(named);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(named) - Date.now();
  return wait <= longestPause ? Math.max(wait, 0) : undefined;
}

async function understood<Schema extends v.GenericSchema>(
  answer: Response,
  { schema, wanted, parse = parseLenient, ...call }: RemoteCall<Schema>,
): Promise<v.InferOutput<Schema>> {
  let body: string;
  try {
    body = await textOf(answer, maxAnswer);
  } catch (error) {
    throw error instanceof RemoteError ? error : failure(error, call);
  }
  const data = parse(body);
  const parsed = v.safeParse(schema, data, firstIssue);
  if (!parsed.success) throw unusable(call, data ?? body, wanted);
  return parsed.output;
}

/**
 * The error for a successful response that can't be used.
 * @param wanted "a transcription"
 */
export function unusable({ url, key }: Pick<RemoteRequest, "url" | "key">, data: unknown, wanted: string): RemoteError {
  const said = complaintIn(data, key, Complaint);
  const what = said === "" ? `with ${shapeOf(data)}, which is not ${wanted}.` : `with an error: ${said}`;
  return new RemoteError("garbage", `${serverAt(url)} answered ${what}`, { body: said });
}

/** "The server at api.example.com" */
export function serverAt(url: string): string {
  return `The server at ${new URL(url).host}`;
}

/** The variables that an operator should check after a failure, by the last part of their names. */
const toCheck = { timeout: [], unreachable: ["URL"], status: ["URL", "KEY", "MODEL"], garbage: ["URL", "MODEL"] };

/**
 * The message of a failure, with what an operator can check.
 * @param variables that configure the server: "SPEECH_API_URL"
 */
export function withAdvice({ kind, status, message }: RemoteError, variables: readonly string[]): string {
  const isRemoteFault = status === 429 || (status ?? 0) >= 500;
  const names = variables.filter((name) => !isRemoteFault && toCheck[kind].some((end) => name.endsWith(`_${end}`)));
  if (names.length === 0) return message;
  return `${message}${/[.!?]$/.test(message) ? "" : "."} Check ${new Intl.ListFormat("en").format(names)}.`;
}

/**
 * Reads an answer as text.
 * @throws RemoteError `garbage` for a longer one, of which no more is read; errors of reading
 */
async function textOf({ url, body }: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) throw new RemoteError("garbage", `${serverAt(url)} sends an endless answer.`);
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}

const Said = v.pipe(v.string(), v.trim(), v.nonEmpty());
const WithMessage = v.pipe(
  v.union([
    v.object({ message: Said }),
    v.pipe(
      v.object({ msg: Said }),
      v.transform(({ msg }) => ({ message: msg })),
    ),
  ]),
  v.transform(({ message }) => message),
);
const Words = v.union([
  Said,
  WithMessage,
  v.pipe(
    v.tupleWithRest([WithMessage], v.unknown()),
    v.transform(([first]) => first),
  ),
]);
const OneComplaint = v.union([
  v.pipe(
    v.object({ error: Words }),
    v.transform(({ error }) => error),
  ),
  v.pipe(
    v.object({ detail: Words }),
    v.transform(({ detail }) => detail),
  ),
  v.pipe(
    v.object({ object: v.literal("error"), message: Said }),
    v.transform(({ message }) => message),
  ),
]);
/**
 * An error as OpenAI, FastAPI and others send it; Gemini sends it in a list. A message alone may be a person's words,
 * unless the status indicates an error.
 */
const Complaint = v.union([
  OneComplaint,
  v.pipe(
    v.tupleWithRest([OneComplaint], v.unknown()),
    v.transform(([first]) => first),
  ),
]);
const Refusal = v.union([Complaint, WithMessage]);

/** A server's message about its failure, without the key; empty if it has none. */
function complaintIn(data: unknown, key: string | undefined, schema: typeof Complaint | typeof Refusal): string {
  const parsed = v.safeParse(schema, data);
  const said = parsed.success ? parsed.output : "";
  return (key === undefined || key === "" ? said : said.replaceAll(key, "***")).slice(0, complaintLimit);
}

async function refusal(answer: Response, { url, key }: RemoteRequest): Promise<RemoteError> {
  const body = await textOf(answer, maxComplaint).catch(() => "");
  const complaint = complaintIn(parseLenient(body), key, Refusal);
  const message = `${serverAt(url)} answered ${answer.status}${complaint === "" ? "" : `: ${complaint}`}`;
  return new RemoteError("status", message, { status: answer.status, body });
}

function failure(error: unknown, { url, signal, timeoutMs }: Pick<RemoteRequest, "url" | "signal" | "timeoutMs">): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (error instanceof Error && error.name === "TimeoutError") {
    return new RemoteError("timeout", `${serverAt(url)} did not answer within ${timeoutMs / 1000} s.`, { cause: error });
  }
  return new RemoteError("unreachable", `${serverAt(url)} can't be reached.`, { cause: error });
}

/** Joins an API's base URL and a path, whether or not the base ends with a slash. */
export function below(base: string, path: string): string {
  return `${base.replace(/\/+$/, "")}/${path}`;
}
