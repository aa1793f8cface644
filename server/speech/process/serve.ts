import { type Answer, type Request, RequestReader } from "./protocol.ts";

/** What an engine's process can do. Everything is synchronous: native code that computes for seconds has nothing to share time with. */
export interface EngineHost {
  transcribe(pcm: Buffer, language: string): unknown;
  begin(stream: number, language: string): void;
  feed(stream: number, pcm: Buffer): string;
  /** What was heard in all that was fed since `begin`; for engines that work that out as it comes. */
  finish?(stream: number): unknown;
  forget(stream: number): void;
}

/** Answers requests on standard input until it ends: the server has gone then, or needs this process no more. */
export function serve(host: EngineHost): void {
  const reader = new RequestReader();
  process.stdin.on("data", (chunk: Buffer) => {
    for (const request of reader.push(chunk)) handle(host, request);
  });
  process.stdin.on("end", () => process.exit(0));
  process.stdout.on("error", () => process.exit(0));
  answer({ ready: true });
}

function handle(host: EngineHost, { kind, id, stream, language, pcm }: Request): void {
  try {
    if (kind === "transcribe") answer({ id, heard: host.transcribe(pcm, language) });
    else if (kind === "feed") answer({ id, text: host.feed(stream, pcm) });
    else if (kind === "finish") answer({ id, heard: host.finish?.(stream) ?? [] });
    else if (kind === "begin") host.begin(stream, language);
    else host.forget(stream);
  } catch (error) {
    answer({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

function answer(message: Answer): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
