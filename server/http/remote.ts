import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";

/** A failed call to another server. The message never contains the key. */
export class RemoteError extends Error {
  readonly kind: "timeout" | "unreachable" | "status" | "garbage";
  /** The response's status, with kind "status". */
  readonly status: number | undefined;
  constructor(kind: RemoteError["kind"], message: string, options?: ErrorOptions & { status?: number }) {
    super(message, options);
    this.name = "RemoteError";
    this.kind = kind;
    this.status = options?.status;
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
}

/** Total attempts when the server is busy (429, 503)... */
const attempts = 4;
/** ... after the time it names, otherwise 1, 2, 4 s; a longer wait than this counts as a failure (ms). */
const longestPause = 30_000;
/** The longest JSON answer (bytes): a minute of speech with the times of its words is some 50,000, a batch of translations less. */
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
    throw failure(error, signal, timeoutMs);
  }
}

/** The delay before the next attempt (ms); undefined when there is none. */
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
  call: RemoteCall<Schema>,
): Promise<v.InferOutput<Schema>> {
  let data: unknown;
  try {
    data = JSON.parse(await textOf(answer, maxAnswer));
  } catch (error) {
    if (error instanceof RemoteError) throw error;
    if (error instanceof SyntaxError) throw new RemoteError("garbage", "The server's answer is not JSON.");
    throw failure(error, call.signal, call.timeoutMs);
  }
  const parsed = v.safeParse(call.schema, data);
  if (!parsed.success) throw new RemoteError("garbage", "The server's answer is not what this API answers.");
  return parsed.output;
}

/**
 * Reads an answer as text.
 * @throws RemoteError `garbage` for one that is longer, of which no more is read; what reading throws
 */
async function textOf({ body }: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) throw new RemoteError("garbage", "The server's answer does not come to an end.");
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}

const Complaint = v.union([
  v.pipe(
    v.object({ error: v.object({ message: v.string() }) }),
    v.transform(({ error }) => error.message),
  ),
  v.pipe(
    v.object({ error: v.string() }),
    v.transform(({ error }) => error),
  ),
  v.pipe(
    v.object({ detail: v.string() }),
    v.transform(({ detail }) => detail),
  ),
]);

async function refusal(answer: Response, { key }: RemoteRequest): Promise<RemoteError> {
  const text = await textOf(answer, maxComplaint).catch(() => "");
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Complaint), text);
  const said = parsed.success ? parsed.output.slice(0, complaintLimit) : "";
  const complaint = key !== undefined && key !== "" ? said.replaceAll(key, "***") : said;
  const message = `The server answered ${answer.status}${complaint === "" ? "" : `: ${complaint}`}`;
  return new RemoteError("status", message, { status: answer.status });
}

function failure(error: unknown, signal: AbortSignal | undefined, timeoutMs: number): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (error instanceof Error && error.name === "TimeoutError") {
    return new RemoteError("timeout", `The server did not answer within ${timeoutMs / 1000} s.`, { cause: error });
  }
  return new RemoteError("unreachable", "The server can't be reached.", { cause: error });
}

/** Joins an API's base URL and a path, whether or not the base ends with a slash. */
export function below(base: string, path: string): string {
  return `${base.replace(/\/+$/, "")}/${path}`;
}
