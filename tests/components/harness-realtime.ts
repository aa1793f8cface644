import { ws } from "msw";
import * as v from "valibot";
import { ClientMessage, type ErrorCode, type Segment, type ServerMessage } from "#contract/index.ts";
import { apiBase } from "#src/api/http.ts";
import { connect } from "./harness-network.ts";

/** The server's side of the realtime protocol; the test decides which words it recognizes. */
export interface Realtime {
  /** The first message of each connection, the newest last. */
  starts: Extract<ClientMessage, { type: "start" }>[];
  /** Number of frames of the newest connection. */
  frames: number;
  /** The number of frames in each `end` message. */
  ends: number[];
  /** Words from the browser's own recognizer. */
  heard: Segment[];
  /** The final segments, which `done` contains. */
  segments: Segment[];
  say(message: ServerMessage): void;
  partial(text: string, more?: { start?: number; stable?: number }): void;
  final(text: string, start?: number): void;
  close(code?: number): void;
  /** Sends an error and closes the connection. */
  refuse(code: ErrorCode): void;
}

interface RealtimeOptions {
  path?: string;
  /** Answers `start`. Default: ready for all frames, with the final segments so far. */
  onStart?(realtime: Realtime): void;
  /** Answers `end`. Default: `done`. */
  onEnd?(realtime: Realtime): void;
}

const segment = (text: string, start = 0): Segment => ({
  start,
  end: start + 1,
  text,
  words: text.split(" ").map((word) => ({ text: word, start, end: start + 1 })),
});

/** Makes the realtime server available until the test ends. */
export function recognize(options: RealtimeOptions = {}): Realtime {
  const { path = "/api/v1/audio-transcriptions/realtime" } = options;
  let send: (message: ServerMessage) => void = () => {};
  const {
    onStart = ({ segments }) => send({ type: "ready", ack: realtime.frames, segments }),
    onEnd = ({ segments }) => send({ type: "done", segments, durationSeconds: 2 }),
  } = options;
  const realtime: Realtime = {
    starts: [],
    frames: 0,
    ends: [],
    heard: [],
    segments: [],
    say: (message) => send(message),
    partial: (text, { start = 0, ...more } = {}) => send({ type: "partial", text, start, ...more }),
    final: (text, start = realtime.segments.length * 2) => {
      realtime.segments.push(segment(text, start));
      send({ type: "final", index: realtime.segments.length - 1, segment: segment(text, start) });
    },
    close: () => {},
    refuse: (code) => {
      send({ type: "error", code, message: code });
      // Closes later: an immediate close would drop the message.
      setTimeout(() => realtime.close());
    },
  };
  const link = ws.link(`${apiBase.replace(/^http/, "ws")}${path}`);
  connect(
    link.addEventListener("connection", ({ client }) => {
      send = (message) => client.send(JSON.stringify(message));
      realtime.close = (code = 4000) => client.close(code);
      client.addEventListener("message", ({ data }) => {
        if (typeof data !== "string") {
          realtime.frames += 1;
          // Confirms that the frame is on disk, so the browser need not keep it.
          return send({ type: "ack", ack: realtime.frames });
        }
        const message = v.parse(v.pipe(v.string(), v.parseJson(), ClientMessage), data);
        if (message.type === "start") {
          realtime.starts.push(message);
          onStart(realtime);
        } else if (message.type === "heard") realtime.heard.push(message.segment);
        else {
          realtime.ends.push(message.frames);
          onEnd(realtime);
        }
      });
    }),
  );
  return realtime;
}
