import { expect, it } from "vitest";
import { RemoteError } from "#server/http/remote.ts";
import { failureOf } from "#server/processing/failure.ts";
import { SpeechError } from "#server/speech/index.ts";

it("names the speech server and what to check when that server fails a job", () => {
  const cause = new RemoteError("status", "speech.example answered 401");
  const message = "Speech recognition: speech.example answered 401. Check SPEECH_API_KEY.";
  expect(failureOf(new SpeechError("engineFailed", message, { cause }))).toMatchObject({ code: "engineFailed", message });
  const own = new SpeechError("engineFailed", "The model in /data/models/tiny can't be read.");
  expect(failureOf(own)).toMatchObject({ message: "The speech engine failed." });
});
