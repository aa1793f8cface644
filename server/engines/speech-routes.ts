import { Hono } from "hono";
import { SpeechRequest } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import { type Concurrency, speechConcurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import { SpeakingError, type SpeechSynthesizer } from "#server/speech/espeak.ts";
import { longestPart } from "#server/speech/voices/processes.ts";
import { queues } from "#server/threads/queues.ts";
import { Slots } from "#server/threads/slots.ts";
import { sentencesOf } from "#translation/sentences.ts";

interface Parts extends AccessParts {
  log: Log;
  synthesizer: SpeechSynthesizer;
  concurrency: Concurrency;
}

const speak = { id: "speak", tag: "translations", scope: "translations", body: SpeechRequest, type: "audio/wav" } as const;

/** POST /api/v1/speech: text-to-speech. */
export function speechRoutes({ synthesizer, log, ...deps }: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);
  const slots = new Slots(queues.voices);

  app.post("/api/v1/speech", access(speak), async (c) => {
    const { text, language, rate } = await readJson(c, SpeechRequest);
    if (synthesizer.languages === undefined) throw new Problem("engineUnavailable", "This server has no voices.");
    if (!synthesizer.supports(language)) throw new Problem("languageUnavailable", `No voice speaks "${language}".`);
    const { signal } = c.req.raw;
    const person = c.var.user.id;
    const speaking = { text, language, rate, person, signal };
    const inTurn: InTurn = (work) => slots.run(signal, work, { person });
    const ofPerson: InTurn = (work) => deps.concurrency.run(speechConcurrency, person, signal, work);
    try {
      const isLong = sentencesOf(text, longestPart).flat().length > 1;
      if (synthesizer.stream !== undefined && isLong) {
        const sound = await soundInParts(synthesizer.stream(speaking), { ofPerson, inTurn, log });
        return c.body(sound, 200, { "Content-Type": "audio/wav" });
      }
      const wav = await ofPerson(() => inTurn(() => synthesizer.speak(speaking)));
      return c.body(new Uint8Array(wav), 200, { "Content-Type": "audio/wav", "Content-Length": String(wav.length) });
    } catch (error) {
      if (error instanceof Problem) throw error;
      // The client has disconnected.
      if (signal.aborted) throw new Problem("interrupted", undefined, { cause: error });
      log.warn("voice failed", describeError(error));
      const isLate = error instanceof SpeakingError && error.late;
      throw new Problem(isLate ? "engineTimeout" : "engineFailed", undefined, { cause: error });
    }
  });
  return app;
}

/** Runs something when it is its turn. */
type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * The answer's body, as soon as its first part is ready. A later failure closes the connection. It has a slot only
 * while a part is spoken, not while the part is sent: a client that reads slowly delays nobody.
 * @param ofPerson runs all of the work, among the person's own; `inTurn` speaks a part, among everybody's
 * @throws any error before the first part
 */
async function soundInParts(
  parts: AsyncIterable<Buffer>,
  { ofPerson, inTurn, log }: { ofPerson: InTurn; inTurn: InTurn; log: Log },
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>();
  const writer = writable.getWriter();
  const begun = Promise.withResolvers<void>();
  let hasBegun = false;
  const work = async () => {
    const spoken = parts[Symbol.asyncIterator]();
    try {
      for (let next = await inTurn(() => spoken.next()); next.done !== true; next = await inTurn(() => spoken.next())) {
        hasBegun = true;
        begun.resolve();
        await writer.write(new Uint8Array(next.value));
      }
    } finally {
      await spoken.return?.();
    }
    await writer.close();
  };
  ofPerson(work).catch(async (error: unknown) => {
    begun.reject(error);
    // Before the first part, the caller reports it.
    if (hasBegun) log.debug("the spoken audio was cut off", describeError(error));
    // Its message may be shown to the client.
    await writer.abort(new Error("The voice failed.")).catch(() => undefined);
  });
  await begun.promise;
  return readable;
}
