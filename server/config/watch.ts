import { resolve } from "node:path";
import * as v from "valibot";
import { speechLanguages, TextLanguage } from "#contract/index.ts";
import type { WatchConfig } from "#server/watched-folder/watch.ts";
import { refuse, Switch, setting, settingOr, Text, type ValuesOf } from "./values.ts";

export const watchVariables = {
  PARLANCE_WATCH: setting(Text, "The watched folder. Recordings in it are transcribed, and the texts are written beside them."),
  PARLANCE_WATCH_ACCOUNT: setting(
    v.pipe(Text, v.email("must be an e-mail address"), v.toLowerCase()),
    "The e-mail address of the account that owns these transcripts. Required with PARLANCE_WATCH.",
  ),
  PARLANCE_WATCH_LANGUAGE: setting(
    v.pipe(Text, v.picklist(speechLanguages, "must be a language that can be recognized, such as en, or auto")),
    "The language of these recordings. Default: auto where an engine can detect it, otherwise en.",
  ),
  PARLANCE_WATCH_TRANSLATE_TO: setting(
    v.pipe(
      Text,
      v.check((text) => v.is(TextLanguage, text), "must be a language such as es"),
    ),
    "The language into which these transcripts are translated. Default: none.",
  ),
  PARLANCE_WATCH_SPEAKERS: settingOr(Switch, "0", "1: identify speakers."),
};

/** @returns undefined: no folder is watched @throws ConfigError */
export function watchOf(e: ValuesOf<typeof watchVariables>): WatchConfig | undefined {
  if (e.PARLANCE_WATCH === undefined) {
    return e.PARLANCE_WATCH_ACCOUNT === undefined
      ? undefined
      : refuse("PARLANCE_WATCH: is missing, and PARLANCE_WATCH_ACCOUNT needs it.");
  }
  if (e.PARLANCE_WATCH_ACCOUNT === undefined) return refuse("PARLANCE_WATCH_ACCOUNT is required with PARLANCE_WATCH.");
  return {
    folder: resolve(e.PARLANCE_WATCH),
    account: e.PARLANCE_WATCH_ACCOUNT,
    sourceLanguage: e.PARLANCE_WATCH_LANGUAGE,
    targetLanguage: e.PARLANCE_WATCH_TRANSLATE_TO,
    speakers: e.PARLANCE_WATCH_SPEAKERS,
  };
}
