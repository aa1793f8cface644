import { availableParallelism } from "node:os";
import { join } from "node:path";
import { onlyBuiltIn } from "#server/models/built-in.ts";
import type { InstalledModels } from "#server/models/model.ts";
import type { MemoryBudget } from "#server/threads/budget.ts";
import type { NotUnderstood } from "#speech/recognize-with-retry.ts";
import { combineEngines, type SpeechConfig, type SpeechEngines } from "./engines.ts";
import { openOpenAi } from "./openai.ts";
import { openSherpa } from "./sherpa/engines.ts";
import { openSilero } from "./silero/silero.ts";

export { AudioError } from "./audio-error.ts";
export { clockOf, longestBroadcastHole } from "./clock.ts";
export { type Decoded, decodeToPcm } from "./decode.ts";
export { assignSpeakers, speakerNames } from "./diarization/assign.ts";
export { cosine, type Diarized, type SpeakerTurn } from "./diarization/clusters.ts";
export { type Diarization, type Diarizer, openDiarizer } from "./diarization/diarizer.ts";
export { speakersTrial } from "./diarization/trial.ts";
export type { KnownVoice, SpeechEngine, TranscribeOptions, Use } from "./engine.ts";
export { SpeechError } from "./engine.ts";
export type { EngineChoice, SpeechConfig, SpeechEngines } from "./engines.ts";
export { complaintLimit, maxPixels, openingOptions, startTool, type ToolEnd, whenEnded } from "./ffmpeg.ts";
export { mediaType } from "./media-type.ts";
export { askProbe, chooseTrack } from "./probe.ts";
export { openPunctuator, type Punctuator } from "./punctuation/punctuator.ts";
export { tryPunctuation } from "./punctuation/trial.ts";
export { SpokenMeter, spokenSeconds } from "./spoken.ts";
export { createRecognitionTrial } from "./trial.ts";
export { wavHeader } from "./wav.ts";

/**
 * Detects the available speech engines. Order of preference: OpenAI-compatible server, models.
 * @param budget the memory that models share with others; default: a budget of their own
 */
export async function openEngines(
  config: SpeechConfig,
  models: InstalledModels = onlyBuiltIn,
  budget?: MemoryBudget,
): Promise<SpeechEngines> {
  const { apiUrl, apiKey, apiModel, apiTimeoutMs, dataDir, model, parallel = availableParallelism(), isLive, log } = config;
  const activity = openSilero({ parallel, isLive });
  const onNotUnderstood: NotUnderstood = ({ durationSeconds: seconds }) => log?.warn("a voice failed its trial", { seconds });
  const remote = apiUrl === undefined ? [] : [openOpenAi({ apiUrl, apiKey, apiModel, apiTimeoutMs, activity, onNotUnderstood })];
  const modelsFolder = join(dataDir, "models");
  const sherpa = await openSherpa({ models, modelsFolder, named: model, threads: parallel, activity, budget, onNotUnderstood });
  return combineEngines({
    all: () => [...remote, ...sherpa.all()],
    choices: models.choices,
    close: async () => {
      await Promise.all([...remote.map((engine) => engine.close()), sherpa.close(), activity.close()]);
    },
  });
}
