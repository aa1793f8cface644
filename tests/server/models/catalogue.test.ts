import { expect, test } from "vitest";
import { builtInLanguages } from "#contract/built-in-languages.ts";
import { speechLanguages } from "#contract/index.ts";
import { modelCatalogue } from "#server/models/catalogue-data.ts";
import { whisperLanguages } from "#server/models/languages.ts";
import { recognize } from "#server/models/recognize.ts";

const of = (purpose: string) => modelCatalogue.filter((entry) => entry.purpose === purpose);
const find = (id: string) => modelCatalogue.find((entry) => entry.id === id);
const addresses = modelCatalogue.flatMap(({ archive, files }) => [
  ...(archive === undefined ? [] : [...archive.urls, archive.checksums ?? ""]),
  ...files.flatMap(({ urls }) => urls),
]);

test("lists every model once, under a name that can be a folder's", () => {
  const ids = modelCatalogue.map(({ id }) => id.toLowerCase());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z0-9][a-z0-9._-]*$/.test(id))).toEqual([]);
});

test("each model of the catalog has a unique name", () => {
  const names = modelCatalogue.flatMap(({ name }) => name ?? []);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("each model of the catalog lists known languages in sorted order", () => {
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  for (const { id, languages } of modelCatalogue) {
    expect(languages, id).toEqual([...new Set(languages)].sort());
    expect(
      languages.filter((code) => names.of(code) === undefined),
      id,
    ).toEqual([]);
  }
  const known = builtInLanguages.map(({ code }) => code.split("-")[0]);
  const translated = of("translation").flatMap(({ pair }) => (pair === undefined ? [] : [pair.source, pair.target]));
  // Nynorsk has its own model, but the product has no name for it yet.
  expect([...new Set(translated)].filter((code) => !known.includes(code))).toEqual(["nn"]);
  const heard = new Set(of("hearing").flatMap(({ languages }) => languages));
  const spoken = speechLanguages.filter((code) => code !== "auto").map((code) => code.split("-")[0]);
  expect(spoken.filter((code) => !heard.has(code ?? ""))).toEqual([]);
  expect(whisperLanguages).toHaveLength(99);
});

test("uses only https addresses on hosts where the makers publish", () => {
  const hosts = addresses.map((address) => {
    const url = new URL(address);
    expect([url.protocol, url.username, url.port, url.pathname.includes("..")]).toEqual(["https:", "", "", false]);
    return url.hostname;
  });
  expect([...new Set(hosts)].sort()).toEqual(["github.com", "huggingface.co", "media.githubusercontent.com"]);
  expect(addresses.filter((address) => /[{}\s]/.test(address))).toEqual([]);
});

test("every model can be checked by its SHA-256, the release's list or its size", () => {
  for (const { id, archive, files } of modelCatalogue) {
    expect(archive !== undefined || files.length > 0, id).toBe(true);
    if (archive !== undefined) {
      expect(archive.sha256 !== undefined || archive.checksums !== undefined || archive.bytes !== undefined, id).toBe(true);
      expect(archive.name, id).toMatch(/\.tar\.bz2$/);
      expect(
        archive.urls.every((url) => url.endsWith(`/${archive.name}`)),
        id,
      ).toBe(true);
    }
    for (const { name, urls, bytes, sha256 } of files) {
      expect(bytes !== undefined && sha256 !== undefined, `${id} ${name}`).toBe(true);
      expect(
        urls.every((url) => url.endsWith(`/${name}`) || url.endsWith(`/${name}.gz`)),
        name,
      ).toBe(true);
    }
    expect(new Set(files.map(({ name }) => name)).size, id).toBe(files.length);
  }
});

test("a model with archive and files is downloaded as an archive that contains these files", () => {
  const both = modelCatalogue.filter(({ archive, files }) => archive !== undefined && files.length > 0);
  expect(both.map(({ id }) => id)).toContain("sherpa-onnx-whisper-turbo");
  for (const { archive, files, contents } of both) {
    expect(archive?.urls[0]).toMatch(/^https:\/\/github\.com\/k2-fsa\//);
    expect(files.every(({ urls }) => urls[0]?.startsWith("https://huggingface.co/"))).toBe(true);
    expect(contents).toEqual(files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })));
  }
});

test("the sizes of disk and memory are plausible for the listed files", () => {
  for (const { id, files, archive, diskBytes, memoryBytes } of modelCatalogue) {
    if (archive !== undefined || !files.some(({ urls }) => urls[0]?.endsWith(".gz"))) {
      expect(diskBytes, id).toBeGreaterThanOrEqual(files.reduce((sum, { bytes = 0 }) => sum + bytes, 0));
    }
    expect(memoryBytes, id).toBeGreaterThan(diskBytes / 10);
  }
});

test("recognizes each model by its files as the kind in the catalog", () => {
  for (const { id, kind, purpose, files } of modelCatalogue.filter((entry) => entry.files.length > 0)) {
    expect(
      recognize(
        id,
        files.map(({ name }) => name),
      ),
      id,
    ).toMatchObject({ kind, purpose });
  }
});

test("excludes non-commercial models and names the limits of licenses", () => {
  const moonshine = modelCatalogue.filter(({ kind }) => kind === "moonshine");
  expect(moonshine.map(({ languages }) => languages)).toEqual([["en"]]);
  expect(modelCatalogue.filter(({ id }) => id.includes("reverb"))).toEqual([]);
  expect(modelCatalogue.filter(({ licence }) => /nc\b|non-?commercial/i.test(licence))).toEqual([]);
  for (const { kind, keep, contents, caveat, licence, id } of modelCatalogue) {
    if (kind === "whisper") expect(keep, id).toEqual(["*.int8.onnx", "*tokens.txt"]);
    if (kind === "whisper") expect(contents.every(({ name }) => /int8|tokens/.test(name))).toBe(true);
    if (licence.startsWith("CC-BY-SA")) expect(caveat, id).toBe("shareAlike");
    else if (licence.startsWith("CC-BY")) expect(caveat, id).toMatch(/attribution|checkLicence/);
    else if (!["MIT", "Apache-2.0", "MPL-2.0"].includes(licence)) expect(caveat, id).toMatch(/checkLicence|ownLicence/);
  }
});

test.each([
  ["sherpa-onnx-nemo-parakeet_tdt_ctc_110m-en-36000-int8", 104_337_827, "CC-BY-4.0", 7.49],
  ["sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8", 487_170_055, "CC-BY-4.0", 6.26],
  ["sherpa-onnx-moonshine-base-en-quantized-2026-02-27", 111_266_225, "MIT", 10.07],
  ["sherpa-onnx-nemotron-speech-streaming-en-0.6b-560ms-int8-2026-04-25", 463_945_051, "NVIDIA Open Model License", undefined],
  ["sherpa-onnx-streaming-zipformer-de-kroko-2025-08-06", 57_565_698, "CC-BY-SA", undefined],
])("pins %s by its SHA-256", (id, bytes, licence, percent) => {
  const entry = find(id);
  expect(entry?.archive?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect([entry?.archive?.bytes, entry?.licence, entry?.wordErrors?.percent]).toEqual([bytes, licence, percent]);
});

// PROMISE translation: 93 pairs among 51 languages are translated offline, other pairs through English
test("lists one translation model for each of 93 pairs, with English on one side", () => {
  const pairs = of("translation").map(({ pair }) => `${pair?.source}>${pair?.target}`);
  expect([pairs.length, new Set(pairs).size]).toEqual([93, 93]);
  expect(new Set(pairs.flatMap((pair) => pair.split(">"))).size).toBe(51);
  expect(pairs.filter((pair) => !/^en>|>en$/.test(pair))).toEqual([]);
  // Each pair has the architecture with the best published score.
  expect(find("bergamot-en-zh")).toMatchObject({ comet: { score: 84.48, google: 87.66 } });
  expect(find("bergamot-en-zh")?.files).toHaveLength(4);
  expect(find("bergamot-de-en")?.files[0]?.urls[0]).toMatch(
    /^https:\/\/media\.githubusercontent\.com\/media\/mozilla\/firefox-translations-models\/[0-9a-f]{40}\/models\/[\w-]+\/deen\/lex.*\.gz$/,
  );
});

test("lists which languages Whisper and Canary can translate while recognizing", () => {
  expect(find("sherpa-onnx-whisper-tiny")?.translatesSpeech).toHaveLength(98);
  expect(find("sherpa-onnx-whisper-turbo")?.translatesSpeech).toEqual([]);
  expect(find("sherpa-onnx-nemo-canary-180m-flash-en-es-de-fr-int8")?.translatesSpeech).toHaveLength(12);
});
