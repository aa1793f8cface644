// A page with nothing but the recognizer, to measure what recognition costs a browser (device.ts). `begin()` starts;
// `measured` and `failed` report the result.

import jfk from "../../../server/speech/assets/jfk.wav?url";
import talk from "../../fixtures/audio/talk.wav?url";
import type { Answer, Measured, Question } from "./messages.ts";

const measured: Measured = { loadSeconds: 0, recordings: [], live: [] };
const questions: Question[] = [
  { type: "transcribe", sound: jfk },
  { type: "transcribe", sound: talk },
  { type: "listen", sound: jfk },
  { type: "listen", sound: talk },
];

function begin(): void {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const ask = () => {
    const question = questions.shift();
    if (question !== undefined) worker.postMessage(question);
    else {
      worker.terminate();
      Object.assign(globalThis, { measured: JSON.stringify(measured) });
    }
  };
  worker.addEventListener("error", ({ message }) => Object.assign(globalThis, { failed: message }));
  worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    if ("failed" in data) {
      Object.assign(globalThis, { failed: data.failed });
      return;
    }
    if ("loaded" in data) measured.loadSeconds = data.loaded;
    else if ("transcribed" in data) measured.recordings.push(data.transcribed);
    else measured.live.push(data.listened);
    ask();
  });
}

Object.assign(globalThis, { begin, measured: null, failed: null });
