import { type Answer, type Request, RequestReader, type Wishes } from "./protocol.ts";

/** The operations of an engine's process. All are synchronous: native code computes for seconds anyway. */
export interface EngineHost {
  transcribe(pcm: Buffer, language: string, wishes: Wishes): unknown;
  begin(stream: number, language: string, wishes: Wishes): void;
  feed(stream: number, pcm: Buffer): string;
  discard(stream: number): void;
}

/** Answers requests on standard input until that closes: the server has exited, or no longer needs this process. */
export function serve(host: EngineHost): void {
  const reader = new RequestReader();
  process.stdin.on("data", (chunk: Buffer) => {
    for (const request of reader.push(chunk)) handle(host, request);
  });
  process.stdin.on("end", () => process.exit(0));
  process.stdout.on("error", () => process.exit(0));
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
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
