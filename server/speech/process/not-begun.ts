import { SpeechError } from "../engine.ts";

/** Most repetitions of a request: more would hide a process that ends at every request. */
const maxRepetitions = 5;

/** The process ended at another request, before it began this one. */
export class NotBegunError extends SpeechError {
  constructor(message: string, options?: ErrorOptions) {
    super("engineFailed", message, options);
    this.name = "NotBegunError";
  }
}

/** Repeats the request with another process when a process has ended at another user's request. */
export async function untilBegun<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let repetitions = 0; ; repetitions += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof NotBegunError) || repetitions === maxRepetitions) throw error;
    }
  }
}
