import type { ServerMessage } from "#contract/index.ts";
import type { DbParts } from "#server/db/open.ts";
import type { Log } from "#server/log/log.ts";
import type { EngineChoice, Punctuator } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { RecordingRow } from "./queries.ts";

/** The connection, as a session uses it. */
export interface DictationConnection {
  send(message: ServerMessage): void;
  /** Partial results are dropped while the client does not keep up. */
  readonly congested: boolean;
  close(code: number): void;
}

/** The dependencies of a live session (live-session.ts). */
export interface SessionParts extends DbParts {
  log: Log;
  connection: DictationConnection;
  recording: RecordingRow;
  /** Undefined: the browser recognizes it, and the page sends the words. */
  choice: EngineChoice | undefined;
  punctuator: Punctuator;
  storage: Pick<Storage, "livePath" | "liveBlocks" | "releaseLive">;
  /** Largest recording, in bytes of PCM. */
  maxBytes: number;
  /** Frames are flushed to disk together, at most this often (milliseconds). */
  syncMs: number;
  /** The ms that the page may take to end a recording that has reached the limit. */
  limitMs: number;
  /** The ms of silence that one recording of a person with a limit may have. */
  silenceMs: number;
  /**
   * Called with how much of the recording is spoken, in samples, and the time of the last one (epoch ms).
   * @returns how many samples remain of the user's minutes (subscription/usage.ts: `spend`)
   */
  spend(samples: number, at: number): Promise<number>;
}
