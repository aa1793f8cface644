import type { AdminModel, Installation, ModelCheck, ModelList } from "#contract/index.ts";
import { type CatalogueModel, singleOf } from "./catalogue.ts";
import { type Candidate, keepsUpWithSpeech, lacksOf, type Machine, recommend } from "./fit.ts";
import type { FoundModel } from "./scan.ts";
import type { ModelStore } from "./store.ts";

/** A model that is in the catalogue, on the disk, being installed, or several of these. */
export interface Known {
  id: string;
  entry: CatalogueModel | undefined;
  found: FoundModel | undefined;
  installation: Installation | null;
  isInUse: boolean;
}

/** The list of /admin/models: the catalogue in its order, then other installed models. */
export function describeModels(listed: readonly Known[], machine: Machine): AdminModel[] {
  // The built-in model is not in the catalogue and brings its own entry.
  const all = listed.map((known) => ({ ...known, entry: known.entry ?? known.found?.model?.entry }));
  const candidates = all.map(candidateOf);
  const recommended = recommend(
    candidates.filter((_, at) => all[at]?.entry !== undefined),
    machine,
  );
  return all.map((known, at) => describe(known, candidates[at] ?? candidateOf(known), machine, recommended));
}

function candidateOf({ id, entry, found }: Known): Candidate {
  const model = found?.model ?? undefined;
  const diskBytes = model?.bytes ?? entry?.diskBytes ?? found?.bytes ?? 0;
  return {
    id,
    purpose: model?.purpose ?? entry?.purpose ?? "hearing",
    languages: model?.languages ?? entry?.languages ?? [],
    downloadBytes: entry === undefined ? null : downloadBytesOf(entry),
    diskBytes,
    memoryBytes: entry?.memoryBytes ?? Math.ceil(diskBytes * 1.5),
    isInstalled: found !== undefined,
    wordErrors: entry?.wordErrors,
    publishedSpeed: entry?.publishedSpeed,
    measuredSpeed: model?.speed,
  };
}

function describe(
  { id, entry, found, installation, isInUse }: Known,
  candidate: Candidate,
  machine: Machine,
  recommended: ReadonlyMap<string, string[]>,
): AdminModel {
  const { purpose, languages, downloadBytes, diskBytes, memoryBytes } = candidate;
  const kind = found?.model?.kind ?? entry?.kind ?? null;
  return {
    id,
    ...(entry?.name === undefined ? {} : { name: entry.name }),
    purpose,
    kind,
    languages: [...languages].sort(),
    ...(entry?.languageCount === undefined ? {} : { languageCount: entry.languageCount }),
    detects: entry?.detects ?? false,
    pair: entry?.pair ?? null,
    translatesSpeech: entry?.translatesSpeech ?? [],
    isStreaming: kind?.startsWith("streaming") ?? false,
    takesVocabulary: entry?.takesVocabulary ?? false,
    downloadBytes,
    diskBytes,
    memoryBytes,
    addresses: entry === undefined ? [] : [...(singleOf(entry)?.urls ?? [])],
    licence: entry?.licence ?? "unknown",
    caveat: entry === undefined ? caveatOf(kind, languages) : (entry.caveat ?? null),
    wordErrors: entry?.wordErrors ?? null,
    comet: entry?.comet ?? null,
    publishedSpeed: entry?.publishedSpeed ?? null,
    measuredSpeed: candidate.measuredSpeed ?? null,
    keepsUp: keepsUpOf(candidate),
    check: found?.model?.check ?? (entry === undefined ? "none" : checkFor(entry)),
    lacks: lacksOf(candidate, machine),
    recommendedFor: recommended.get(id) ?? [],
    installed: found === undefined ? null : { at: found.at, source: found.source, isInUse, fault: found.fault },
    installation,
  };
}

/**
 * For a model that is not in the catalogue. Moonshine's models for languages other than English are not for commercial
 * use.
 */
const caveatOf = (kind: AdminModel["kind"], languages: readonly string[]): AdminModel["caveat"] =>
  kind === "moonshine" && languages.some((language) => language !== "en") ? "nonCommercial" : "checkLicence";

/** Other kinds of models don't have to keep up with speech. */
function keepsUpOf({ purpose, measuredSpeed }: Candidate): boolean | null {
  if (measuredSpeed === undefined || (purpose !== "hearing" && purpose !== "speaking")) return null;
  return keepsUpWithSpeech(measuredSpeed.factor);
}

/** The installed models, for another machine; the built-in model is already there. */
export function exportedList(store: Pick<ModelStore, "found" | "choices">): ModelList {
  const models = store.found().flatMap(({ model, source }) => (model === null || source === "builtIn" ? [] : model));
  return {
    product: "parlance",
    models: models.map(({ id, check, bytes }) => ({ id, check, bytes })),
    choices: store.choices(),
  };
}

/** The download size from the first source, in bytes; null if unknown. */
function downloadBytesOf({ archive, files, downloadBytes }: CatalogueModel): number | null {
  if (archive !== undefined) return archive.bytes ?? downloadBytes ?? null;
  if (files.length === 0) return null;
  return files.reduce<number | null>((sum, { bytes }) => (sum === null || bytes === undefined ? null : sum + bytes), 0);
}

/** The check that a download of an entry has to pass. */
export function checkFor({ archive, files, contents }: CatalogueModel): ModelCheck {
  const isKnownInside = contents.length > 0 && contents.every(({ sha256 }) => sha256 !== undefined);
  if (archive === undefined) return files.every(({ sha256 }) => sha256 !== undefined) ? "pinned" : "size";
  if (archive.sha256 !== undefined || isKnownInside) return "pinned";
  return archive.checksums === undefined ? "size" : "release";
}
