import { SpeechError } from "../engine.ts";

/** As often a request is made again: more would hide a process that ends whatever it is asked. */
const maxRepetitions = 5;

/** The process has ended at another request, before it has begun this one. */
export class NotBegunError extends SpeechError {
  constructor(message: string, options?: ErrorOptions) {
    super("engineFailed", message, options);
    this.name = "NotBegunError";
  }
}

/** Asks again, of another process, when a process has ended at the request of somebody else. */
export async function untilBegun<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let repetitions = 0; ; repetitions += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof NotBegunError) || repetitions === maxRepetitions) throw error;
    }
  }
}
