import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { CatalogueModel } from "./catalogue.ts";
import type { InstalledModel, InstalledModels } from "./model.ts";

const id = "moonshine-tiny-en";

/**
 * The model that comes with the product, in server/speech/assets: it recognizes English without a network or a choice.
 */
export const builtInModel: InstalledModel = {
  id,
  folder: fileURLToPath(new URL(`../speech/assets/${id}`, import.meta.url)),
  purpose: "hearing",
  kind: "moonshine",
  languages: ["en"],
  entry: v.parse(CatalogueModel, {
    id,
    name: "Moonshine tiny",
    purpose: "hearing",
    kind: "moonshine",
    languages: ["en"],
    contents: [
      {
        name: "encoder_model.ort",
        bytes: 13_281_600,
        sha256: "94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221",
      },
      {
        name: "decoder_model_merged.ort",
        bytes: 30_412_256,
        sha256: "cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0",
      },
      {
        name: "tokens.txt",
        bytes: 549_350,
        sha256: "2870d843e14c1e187bf1913a521562a63b53933814bd7f2145120468f494a049",
      },
    ],
    diskBytes: 44_243_206,
    memoryBytes: 160_000_000,
    licence: "MIT",
    wordErrors: { percent: 12.7, on: "Open ASR Leaderboard, English" },
  }),
  check: "pinned",
  bytes: 44_243_206,
  speed: undefined,
};

/** Only the built-in model: for parts that work without a data folder, and for tests. */
export const onlyBuiltIn: InstalledModels = {
  all: () => [builtInModel],
  find: (id) => (id === builtInModel.id ? builtInModel : undefined),
  choices: () => ({ live: {}, files: {}, translation: {}, voices: {} }),
  onChange: () => () => undefined,
  hold: async () => ({ [Symbol.asyncDispose]: async () => undefined }),
  noteSpeed: async () => undefined,
};
