import * as v from "valibot";
import { type CatalogueFile, CatalogueModel } from "./catalogue.ts";
import speechData from "./catalogue-speech.json" with { type: "json" };
import translationData from "./catalogue-translation.json" with { type: "json" };
import { parakeetLanguages, whisperLanguages } from "./languages.ts";

// The facts are in the two JSON files, as they were published; this makes them entries of the catalogue.

type Pair = { source: string; target: string };

/** An entry of catalogue-speech.json: what would be a long list has a name there. */
const SpeechEntry = v.object({
  ...v.omit(CatalogueModel, ["languages", "translatesSpeech", "contents"]).entries,
  languages: v.union([v.array(v.string()), v.picklist(["whisper", "parakeet"])]),
  /** Whisper's ability, and Canary's. */
  translatesSpeech: v.optional(v.picklist(["intoEnglish", "amongThese"])),
  /** The files that are listed are the ones in the archive. */
  contents: v.optional(v.literal("files")),
});

function speechModel(data: unknown): CatalogueModel {
  const { languages: named, translatesSpeech: way, contents, ...entry } = v.parse(SpeechEntry, data);
  const listed = named === "whisper" ? whisperLanguages : named === "parakeet" ? parakeetLanguages : named;
  const languages = [...listed];
  const translatesSpeech = way === undefined ? [] : pairsOf(languages, way === "intoEnglish" ? ["en"] : languages);
  const known = contents === undefined ? [] : entry.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  return v.parse(CatalogueModel, { ...entry, languages, translatesSpeech, contents: known });
}

function pairsOf(sources: readonly string[], targets: readonly string[]): Pair[] {
  return sources.flatMap((source) => targets.flatMap((target) => (source === target ? [] : { source, target })));
}

const TranslationData = v.object({
  commit: v.string(),
  /** With the placeholders {commit}, {architecture}, {source}, {target} and {name}. */
  url: v.string(),
  licence: v.string(),
  models: v.array(
    v.object({
      source: v.string(),
      target: v.string(),
      architecture: v.picklist(["tiny", "base", "base-memory"]),
      /** COMET-22 (x100). */
      comet: v.optional(v.number()),
      google: v.optional(v.nullable(v.number())),
      /** Name without ".gz", and bytes and SHA-256 of the .gz file. */
      files: v.array(v.tuple([v.string(), v.number(), v.string()])),
    }),
  ),
});

/** Norwegian Bokmål is "no" in the contract, as in most lists of languages. */
const contractCodes: Readonly<Record<string, string>> = { nb: "no" };

/** Unpacked, the files are larger by a third; in memory, there are buffers for batches too (estimates). */
const [unpackedRatio, memoryRatio, memoryBase] = [1.35, 2, 150_000_000];

function translationModels(data: unknown): CatalogueModel[] {
  const { commit, url, licence, models } = v.parse(TranslationData, data);
  return models.map(({ source, target, architecture, comet, google = null, files }) => {
    const addressOf = (name: string) =>
      Object.entries({ commit, architecture, source, target, name: `${name}.gz` }).reduce(
        (text, [key, value]) => text.replace(`{${key}}`, value),
        url,
      );
    const bytes = files.reduce((sum, [, size]) => sum + size, 0);
    const pair = { source: contractCodes[source] ?? source, target: contractCodes[target] ?? target };
    return v.parse(CatalogueModel, {
      id: `bergamot-${pair.source}-${pair.target}`,
      purpose: "translation",
      kind: "bergamot",
      languages: [pair.source, pair.target].sort(),
      pair,
      files: files.map(([name, size, sha256]): CatalogueFile => ({ name, urls: [addressOf(name)], bytes: size, sha256 })),
      diskBytes: Math.ceil(bytes * unpackedRatio),
      memoryBytes: Math.ceil(memoryBase + bytes * memoryRatio),
      licence,
      comet: comet === undefined ? undefined : { score: comet, google },
    });
  });
}

/**
 * Everything that can be installed: models for speech recognition, speakers, punctuation and voices, then for
 * translation.
 */
export const modelCatalogue: readonly CatalogueModel[] = [...speechData.map(speechModel), ...translationModels(translationData)];
