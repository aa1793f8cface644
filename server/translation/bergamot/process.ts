import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { ServiceError, ServiceProcess } from "#server/threads/service-process.ts";
import { TranslationError } from "../engine.ts";
import type { BergamotFiles } from "./files.ts";
import type { BergamotRequest } from "./protocol.ts";

const program = fileURLToPath(new URL("./worker.ts", import.meta.url));
/** Timeout of an answer (ms): loading two large models from a slow disk, and a batch on a slow machine. */
const defaultTimeout = 120_000;

export interface BergamotProcessOptions {
  /** Most models loaded at a time. */
  maxLoaded: number;
  timeoutMs?: number | undefined;
  idleMs?: number | undefined;
}

/** Bergamot's process. */
export class BergamotProcess {
  readonly #service: ServiceProcess;

  constructor({ maxLoaded, timeoutMs = defaultTimeout, idleMs }: BergamotProcessOptions) {
    this.#service = new ServiceProcess({ name: "Bergamot", program, args: [String(maxLoaded)], timeoutMs, idleMs });
  }

  get pid(): number | undefined {
    return this.#service.pid;
  }

  /** Whether it has not been closed. A crashed process is restarted for the next texts. */
  get isAlive(): boolean {
    return this.#service.isAlive;
  }

  /**
   * Translates with one model, or with two in sequence. When aborted, it does not wait for a computation in progress.
   * @returns one translation per text
   * @throws TranslationError; the signal's reason when it is aborted
   */
  async translate(
    models: readonly BergamotFiles[],
    texts: readonly string[],
    person: string,
    signal?: AbortSignal,
  ): Promise<string[]> {
    const request: BergamotRequest = { models: [...models], texts: [...texts] };
    try {
      const answer = v.safeParse(v.array(v.string()), await this.#service.ask(request, { person }, signal));
      if (answer.success && answer.output.length === texts.length) return answer.output;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const code = error.kind === "closed" ? "translationUnavailable" : "translationFailed";
      throw new TranslationError(code, error.message, { cause: error.cause });
    }
    throw new TranslationError("translationFailed", "Bergamot left out texts.");
  }

  /** Ends the process for good. */
  close(): Promise<void> {
    return this.#service.close();
  }
}
