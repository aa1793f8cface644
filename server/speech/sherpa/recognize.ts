import * as v from "valibot";
import type { Segment, SpeechLanguage } from "#contract/index.ts";
import { plain } from "#speech/text.ts";
import type { InterimText } from "#speech/utterance-stream.ts";
import type { Voice } from "#speech/voice.ts";
import { joined, upperFirst } from "#speech/words.ts";
import { SpeechError } from "../engine.ts";
import type { EngineChild } from "../process/child.ts";
import type { Wishes } from "../process/protocol.ts";
import { name } from "./start.ts";
import { Recognized, segmentsFromTokens } from "./tokens.ts";

/** Wishes that this model supports. */
export interface Heeded {
  vocabulary: string | undefined;
  target: string | undefined;
}

/** Recognizes at most 120 s. It takes no signal: killing the process would cost all other callers a restart. */
export async function recognize(
  child: EngineChild,
  voice: Voice,
  language: SpeechLanguage,
  heeded: Heeded,
  person?: string,
): Promise<Segment[]> {
  const { vocabulary, target } = heeded;
  const ask = async (wishes: Wishes) => {
    const recognized = v.safeParse(Recognized, await child.transcribe(voice.pcm, language, undefined, wishes, person));
    if (!recognized.success) throw new SpeechError("engineFailed", `${name} gave an invalid answer.`);
    return recognized.output;
  };
  const segments = segmentsFromTokens(await ask(vocabulary === undefined ? {} : { vocabulary }), voice);
  if (target === undefined) return segments;
  const translation = await ask({ target }).then(
    ({ text }) => plain(text),
    () => undefined,
  );
  // The transcript matters more than its translation. A missing translation is noticed later.
  if (translation === undefined) return segments;
  return joined(segments).map((segment) => ({ ...segment, translation }));
}

export function interimOf(
  child: EngineChild,
  stream: number,
  language: string,
  { vocabulary }: Heeded,
  person: string,
): InterimText {
  return {
    begin: () => child.begin(stream, language, vocabulary === undefined ? {} : { vocabulary }),
    feed: async (pcm) => ({ text: upperFirst(plain(await child.feed(stream, pcm, person))) }),
  };
}
