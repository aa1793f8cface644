import { resolve } from "node:path";
import * as v from "valibot";
import { speechLanguages, TextLanguage } from "#contract/index.ts";
import type { WatchConfig } from "#server/watched-folder/watch.ts";
import { refuse, Switch, Text, type ValuesOf } from "./values.ts";

/** The variables of the watched folder (watched-folder/). */
export const watchVariables = {
  PARLANCE_WATCH: v.pipe(
    v.optional(Text),
    v.description("A folder. Recordings in it are transcribed, and the texts are written beside them."),
  ),
  PARLANCE_WATCH_ACCOUNT: v.pipe(
    v.optional(v.pipe(Text, v.email("is not an e-mail address"), v.toLowerCase())),
    v.description("The e-mail address of the account that owns these transcripts. Required with PARLANCE_WATCH."),
  ),
  PARLANCE_WATCH_LANGUAGE: v.pipe(
    v.optional(v.pipe(Text, v.picklist(speechLanguages, "is no language that is heard, such as en, or auto"))),
    v.description("The language of these recordings. Default: auto where an engine can detect it, otherwise en."),
  ),
  PARLANCE_WATCH_TRANSLATE_TO: v.pipe(
    v.optional(
      v.pipe(
        Text,
        v.check((text) => v.is(TextLanguage, text), "is no language, such as es"),
      ),
    ),
    v.description("The language into which these transcripts are translated. Default: none."),
  ),
  PARLANCE_WATCH_SPEAKERS: v.pipe(v.optional(Switch, "0"), v.description("1: tell speakers apart.")),
};

/** @returns undefined: no folder is watched @throws ConfigError */
export function watchOf(e: ValuesOf<typeof watchVariables>): WatchConfig | undefined {
  if (e.PARLANCE_WATCH === undefined) {
    return e.PARLANCE_WATCH_ACCOUNT === undefined
      ? undefined
      : refuse("PARLANCE_WATCH: is missing, and PARLANCE_WATCH_ACCOUNT is of no use without it.");
  }
  if (e.PARLANCE_WATCH_ACCOUNT === undefined) return refuse("PARLANCE_WATCH_ACCOUNT is needed with PARLANCE_WATCH.");
  return {
    folder: resolve(e.PARLANCE_WATCH),
    account: e.PARLANCE_WATCH_ACCOUNT,
    sourceLanguage: e.PARLANCE_WATCH_LANGUAGE,
    targetLanguage: e.PARLANCE_WATCH_TRANSLATE_TO,
    speakers: e.PARLANCE_WATCH_SPEAKERS,
  };
}
