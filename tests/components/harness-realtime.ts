import { ws } from "msw";
import * as v from "valibot";
import { ClientMessage, type ErrorCode, type Segment, type ServerMessage } from "#contract/index.ts";
import { apiBase } from "#src/api/http.ts";
import { connect } from "./harness-network.ts";

/** The server's side of the realtime protocol: the test says which words it recognizes. */
export interface Realtime {
  /** The first message of each connection, the newest last. */
  starts: Extract<ClientMessage, { type: "start" }>[];
  /** Frames of the newest connection. */
  frames: number;
  /** Of each `end`: the number of frames. */
  ends: number[];
  /** Words that the browser's own recogniser has sent. */
  heard: Segment[];
  /** What has become final; `done` has them. */
  segments: Segment[];
  say(message: ServerMessage): void;
  partial(text: string, more?: { start?: number; stable?: number }): void;
  final(text: string, start?: number): void;
  close(code?: number): void;
  /** An error, after which nothing more is accepted. */
  refuse(code: ErrorCode): void;
}

interface RealtimeOptions {
  path?: string;
  /** Answers `start`. Default: ready for all frames, with the finals so far. */
  onStart?(realtime: Realtime): void;
  /** Answers `end`. Default: done. */
  onEnd?(realtime: Realtime): void;
}

const segment = (text: string, start = 0): Segment => ({
  start,
  end: start + 1,
  text,
  words: text.split(" ").map((word) => ({ text: word, start, end: start + 1 })),
});

/** From now on until the test ends, the page can dictate. */
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
      // What is closed hears no message that was sent before.
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
          // On disk: this browser need not keep it.
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
