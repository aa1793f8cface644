import * as v from "valibot";
import { type Answer, Request, type Wishes } from "./protocol.ts";

/** The operations of an engine's process. All are synchronous, because native code blocks for seconds anyway. */
export interface EngineHost {
  transcribe(pcm: Uint8Array, language: string, wishes: Wishes): unknown;
  begin(stream: number, language: string, wishes: Wishes): void;
  feed(stream: number, pcm: Uint8Array): string;
  discard(stream: number): void;
}

/** Answers an EngineChild's requests until it disconnects: the server has exited, or no longer needs this process. */
export function serve(host: EngineHost): void {
  process.on("message", (message) => handle(host, v.parse(Request, message)));
  process.on("disconnect", () => process.exit(0));
  answer({ ready: true });
}

function handle(host: EngineHost, { kind, id, stream, language, pcm, wishes = {} }: Request): void {
  try {
    if (kind === "transcribe") answer({ id, recognized: host.transcribe(pcm, language, wishes) });
    else if (kind === "feed") answer({ id, text: host.feed(stream, pcm) });
    else if (kind === "begin") host.begin(stream, language, wishes);
    else host.discard(stream);
  } catch (error) {
    answer({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

function answer(message: Answer): void {
  // If the answer can't be sent, nobody waits for it any more.
  process.send?.(message, () => undefined);
}
