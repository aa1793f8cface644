import { setTimeout } from "node:timers/promises";
import * as v from "valibot";
import { ErrorBody } from "#contract/index.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import type { Kind, Moments } from "./moments.ts";

/** How long somebody waits before a request that was not acknowledged is made again (milliseconds). */
const retryMs = 100;
/** A request that has no answer for this long, and whose connection does not end, hangs (milliseconds). */
const hangMs = timeLimit(120_000);

/** The server has answered what nobody may be answered because something was killed, or says nothing at all. */
export class Contradiction extends Error {
  override readonly name = "Contradiction";
}

/** Refusals that say: not now, try again. */
const passing: ReadonlySet<number> = new Set([423, 429, 502, 503, 504]);
/** What a dictation may be told for the same reason. */
const passingCodes: ReadonlySet<string> = new Set(["tooManyAtOnce", "storageUnavailable", "engineFailed", "internal"]);
const Refused = v.pipe(v.string(), v.parseJson(), ErrorBody);

/** Makes a request until it is acknowledged. What is not must be told: by the end of the connection, or by a refusal in words. */
export class Asking {
  readonly #moments: Moments;
  readonly kind: Kind;

  constructor(moments: Moments, kind: Kind) {
    [this.#moments, this.kind] = [moments, kind];
  }

  /** @param what is asked for, in words @throws Contradiction */
  async until<T>(what: string, ask: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.#moments.isOver) throw new Contradiction(`${what}: it was over before that was acknowledged`);
      const answer = await this.once(what, ask);
      if (answer !== undefined) return answer.value;
      await setTimeout(retryMs);
    }
  }

  /** Asks once. @returns undefined when it was not acknowledged, and that was told @throws Contradiction */
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

/** @throws Contradiction when nothing comes, not even the end of the connection */
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

/** How somebody has learned that a request was not done, or may not have been; undefined: not in a way that is allowed. */
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

/** The answer to HEAD has no words. */
function isPassing(status: number, body: string): boolean {
  if (!passing.has(status)) return false;
  const refused = v.safeParse(Refused, body);
  return body === "" || (refused.success && refused.output.message !== "");
}

/** A dictation's connection has ended. @param heard all messages that came, as JSON */
function isCutOff(heard: string): "unanswered" | "refused" | undefined {
  const codes = [...heard.matchAll(/"type":"error","code":"(\w+)"/g)].map(([, code]) => code ?? "");
  if (codes.length === 0) return "unanswered";
  return codes.every((code) => passingCodes.has(code)) ? "refused" : undefined;
}
