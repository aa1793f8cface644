import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";

/** Why a call to another server brought nothing. The message never holds the key. */
export class RemoteError extends Error {
  readonly kind: "timeout" | "unreachable" | "status" | "garbage";
  /** Of the answer, with kind "status". */
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
  /** FormData as it is, anything else as JSON; without a body it is a GET. */
  body?: unknown;
  /** Sent as a bearer token. */
  key?: string | undefined;
  /** Content type of the answer. Default: JSON. */
  accept?: string;
  /** For one attempt and its answer, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Called before each attempt, and when one was in vain and the next has to wait. */
  onAttempt?: () => void;
  onPause?: () => void;
}

export interface RemoteCall<Schema extends v.GenericSchema> extends RemoteRequest {
  /** Of the answer. */
  schema: Schema;
}

/** A server that is busy (429, 503) is asked this often in all... */
const attempts = 4;
/** ... after the time it names, else after 1, 2, 4 s; a longer wait than this is a failure (ms). */
const longestPause = 30_000;
/** So much of a complaint is passed on (characters). */
const complaintLimit = 300;

/**
 * Calls a JSON API.
 * @throws RemoteError; the signal's reason when it is aborted
 */
export async function callRemote<Schema extends v.GenericSchema>(call: RemoteCall<Schema>): Promise<v.InferOutput<Schema>> {
  return await understood(await askRemote(call), call);
}

/**
 * Asks, and again when the server is busy; the answer is one of success, its body not yet read.
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

/** How long to wait before the next attempt (ms); undefined when there is none. */
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
    data = JSON.parse(await answer.text());
  } catch (error) {
    if (error instanceof SyntaxError) throw new RemoteError("garbage", "The server's answer is not JSON.");
    throw failure(error, call.signal, call.timeoutMs);
  }
  const parsed = v.safeParse(call.schema, data);
  if (!parsed.success) throw new RemoteError("garbage", "The server's answer is not what this API answers.");
  return parsed.output;
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
  const text = await answer.text().catch(() => "");
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

/** An API's base and a path below it, whether or not the base ends with a slash. */
export function below(base: string, path: string): string {
  return `${base.replace(/\/+$/, "")}/${path}`;
}
