import { setTimeout } from "node:timers/promises";
import * as v from "valibot";
import { ErrorBody } from "#contract/index.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import type { Kind, Moments } from "./moments.ts";

/** Time before an unacknowledged request is repeated, in ms. */
const retryMs = 100;
/** Time in ms after which a request without an answer or an end of its connection counts as hanging. */
const hangMs = timeLimit(120_000);

/** The server gave an answer that a kill does not excuse, or hangs. */
export class Contradiction extends Error {
  override readonly name = "Contradiction";
}

/** Statuses that mean: try again later. */
const passing: ReadonlySet<number> = new Set([423, 429, 502, 503, 504]);
/** Error codes of a live connection that mean the same. */
const passingCodes: ReadonlySet<string> = new Set(["tooManyAtOnce", "storageUnavailable", "engineFailed", "internal"]);
const Refused = v.pipe(v.string(), v.parseJson(), ErrorBody);

/**
 * Repeats a request until it is acknowledged. A failed request must end by a closed connection or a refusal with a
 * message.
 */
export class Asking {
  readonly #moments: Moments;
  readonly kind: Kind;

  constructor(moments: Moments, kind: Kind) {
    [this.#moments, this.kind] = [moments, kind];
  }

  /** @param what the request in words @throws Contradiction */
  async until<T>(what: string, ask: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.#moments.isOver) throw new Contradiction(`${what}: it was over before that was acknowledged`);
      const answer = await this.once(what, ask);
      if (answer !== undefined) return answer.value;
      await setTimeout(retryMs);
    }
  }

  /**
   * Sends the request once. @returns undefined if it was not acknowledged for an allowed reason @throws Contradiction
   */
  async once<T>(what: string, ask: () => Promise<T>): Promise<{ value: T } | undefined> {
    const moments = this.#moments;
    try {
      return { value: await moments.during(this.kind, () => inTime(what, ask())) };
    } catch (error) {
      const told = toldBy(error);
      if (told === undefined)
        throw error instanceof Contradiction ? error : new Contradiction(`${what}: ${error}`, { cause: error });
      moments[told] += 1;
      return undefined;
    }
  }
}

/** @throws Contradiction when neither an answer nor the end of the connection comes */
async function inTime<T>(what: string, answer: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = setTimeout(hangMs, undefined, { signal: timer.signal }).then(() => {
    throw new Contradiction(`${what}: neither an answer nor an end in ${hangMs / 1_000} s`);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    timer.abort();
    late.catch(() => {});
  }
}

/** How the user learned that a request failed or may have failed; undefined for a way that is not allowed. */
function toldBy(error: unknown): "unanswered" | "refused" | undefined {
  if (!(error instanceof Error) || error instanceof Contradiction) return undefined;
  const refusal = /(?:expected \d+, got|not taken:|not there:) (\d{3}):? ?(.*)/s.exec(error.message);
  if (refusal !== null) return isPassing(Number(refusal[1]), refusal[2] ?? "") ? "refused" : undefined;
  const [, heard] = /^closed before \w+: (.*)$/s.exec(error.message) ?? [];
  if (heard !== undefined) return isCutOff(heard);
  const text = `${error.message} ${error.cause instanceof Error ? error.cause.message : ""}`;
  const isLost =
    /fetch failed|terminated|ECONN|EPIPE|socket|other side closed|WebSocket is not open|Unexpected server response: 503/i;
  return isLost.test(text) ? "unanswered" : undefined;
}

/** The answer to HEAD has no body. */
function isPassing(status: number, body: string): boolean {
  if (!passing.has(status)) return false;
  const refused = v.safeParse(Refused, body);
  return body === "" || (refused.success && refused.output.message !== "");
}

/** Whether a dictation's connection ended for an allowed reason. @param heard all its messages as JSON */
function isCutOff(heard: string): "unanswered" | "refused" | undefined {
  const codes = [...heard.matchAll(/"type":"error","code":"(\w+)"/g)].map(([, code]) => code ?? "");
  if (codes.length === 0) return "unanswered";
  return codes.every((code) => passingCodes.has(code)) ? "refused" : undefined;
}
