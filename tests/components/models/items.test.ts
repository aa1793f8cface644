import { expect, test } from "vitest";
import type { AdminModel, Installation } from "#contract/index.ts";
import { builtIn, group, here, installation, item, model, openModels, pair, parakeet, voice } from "./harness-models.ts";

const listed = (name: string) => item("All models", name);
const own = (name: string) => item("On this server", name);
const badges = (name: string, title = "On this server") =>
  item(title, name)
    .getByRole("paragraph")
    .first()
    .elements()
    .map((line) => line.textContent);
const names = (title: string) =>
  group(title)
    .getByRole("article")
    .elements()
    .map((article) => article.querySelector("h3")?.textContent);

/** The facts in a model's details, by name. */
async function factsOf(model: ReturnType<typeof item>): Promise<Record<string, string>> {
  await model.getByText("Details").click();
  await expect.element(model.getByText("Folder")).toBeVisible();
  const rows = model.element().querySelectorAll("dl > div");
  return Object.fromEntries(
    [...rows].map((row) => [row.querySelector("dt")?.textContent ?? "", row.querySelector("dd")?.textContent ?? ""]),
  );
}

const full: AdminModel = {
  ...parakeet,
  languages: ["de", "en", "fr"],
  languageCount: 25,
  detects: true,
  isStreaming: true,
  takesVocabulary: true,
  translatesSpeech: [
    { source: "de", target: "en" },
    { source: "fr", target: "en" },
  ],
  publishedSpeed: "0.118 (2 threads)",
  licence: "CC-BY-4.0",
  caveat: "attribution",
  addresses: ["https://github.com/models/parakeet.tar.bz2"],
  check: "release",
};

test("shows all known facts of a model that can be installed", async () => {
  await openModels([full]);
  const model = listed(full.name ?? "");
  await expect.element(model).toMatchTextContent(/^Parakeet TDT 0.6B v225 languages6.1% word error rate482.5 MB download/);
  expect(badges(full.name ?? "", "All models")).toEqual(["Recommended for EnglishLive text"]);
  await expect.element(model).toMatchTextContent("License: CC-BY-4.0. If you pass the model on, you must name its makers.");
  expect(await factsOf(model)).toEqual({
    Languages: "About 25 languages, including German, English, and French. It detects the spoken language automatically.",
    "Word error rate": "6.1% of words wrong, according to its publisher (measured on LibriSpeech)",
    Speed: "A minute of speech takes 7.1 sec, according to its publisher (2 threads)Measured during installation",
    Also: "shows words while you speak; uses your custom vocabulary; translates speech into English",
    Download: "482.5 MB",
    Address: "github.com/models/parakeet.tar.bz2",
    "Disk space": "About 661.2 MB",
    Memory: "About 1 GB",
    License: "CC-BY-4.0. If you pass the model on, you must name its makers.",
    Verification: "Compared with the makers’ own list of fingerprints, which they can change",
    Folder: "parakeet",
  });
  const address = model.getByRole("link", { name: "github.com/models/parakeet.tar.bz2" });
  await expect.element(address).toHaveAttribute("href", "https://github.com/models/parakeet.tar.bz2");
});

test("shows the local facts of an installed model", async () => {
  const measured = { factor: 0.02, threads: 2, at: "2026-11-20T12:00:00.000Z" };
  await openModels([{ ...parakeet, installed: { ...here, isInUse: true }, measuredSpeed: measured, keepsUp: true }]);
  const model = own(parakeet.name ?? "");
  await expect
    .element(model)
    .toMatchTextContent(
      /^Parakeet TDT 0.6B v2English6.1% word error rate661.2 MB on diskA minute of speech takes 1.2 sec on this machine/,
    );
  expect(badges(parakeet.name ?? "")).toEqual(["In use"]);
  expect(badges(parakeet.name ?? "", "All models")).toEqual(["InstalledIn use"]);
  const facts = await factsOf(model);
  expect(facts).toMatchObject({
    Languages: "English",
    Speed: "A minute of speech takes 1.2 sec on this machine",
    "Disk space": "661.2 MB",
    Installed: "20 November 2026",
    Verification: "Compared with a fingerprint (SHA-256) that comes with Parlance",
  });
  expect(Object.keys(facts)).not.toContain("Also");
  expect(Object.keys(facts)).not.toContain("Address");
});

test("shows which facts of a model are unknown", async () => {
  await openModels([
    model({
      name: "Whisper small",
      languages: ["de", "en", "es", "fr", "it"],
      detects: false,
      downloadBytes: null,
      diskBytes: 2_500,
      licence: "unknown",
      caveat: "checkLicence",
      check: "size",
    }),
  ]);
  const whisper = listed("Whisper small");
  await expect.element(whisper).toMatchTextContent(/^Whisper small5 languagesabout 2.5 kB download/);
  expect(await factsOf(whisper)).toMatchObject({
    Languages: "German, English, Spanish, French, and Italian",
    "Word error rate": "No published figure",
    Speed: "Measured during installation",
    Download: "Unknown",
    License: "Unknown. The license is uncertain: check it on the model’s page.",
    Verification: "Only the size was compared: there is no published fingerprint",
  });
});

test("names a translation model by its pair, and shows its quality", async () => {
  const comet = { score: 85.44, google: 87.2 };
  const measured = { factor: 85, threads: 1, at: "2026-11-20T12:00:00.000Z" };
  await openModels([
    { ...pair("en", "de"), comet, measuredSpeed: measured, installed: here },
    { ...pair("de", "en"), comet: { score: 84, google: null }, installed: { ...here, at: null, source: "byHand" } },
  ]);
  const model = own("English → German");
  await expect
    .element(model)
    .toMatchTextContent(/^English → GermanQuality 85.4 of 100200 byte on diskA word takes 85 ms on this machine/);
  const facts = await factsOf(model);
  expect(facts).toMatchObject({
    Quality: "85.4 of 100 (COMET), according to its publisher; Google Translate scores 87.2 in the same test",
    Speed: "A word takes 85 ms on this machine",
  });
  expect(Object.keys(facts)).not.toContain("Languages");
  expect(Object.keys(facts)).not.toContain("Word error rate");
  expect(await factsOf(own("German → English"))).toMatchObject({
    Quality: "84 of 100 (COMET), according to its publisher",
    Installed: "Unpacked manually",
  });
});

test("shows the built-in model without a download and without buttons", async () => {
  await openModels([builtIn]);
  const model = own("Moonshine tiny");
  await expect.element(model).toBeVisible();
  expect(badges("Moonshine tiny")).toEqual(["Built in"]);
  await expect.element(model.getByRole("button")).not.toBeInTheDocument();
  const facts = await factsOf(model);
  expect(facts).toMatchObject({ Installed: "Comes with Parlance" });
  expect(Object.keys(facts)).not.toContain("Download");
});

test("says where an imported model came from, and that it was not verified", async () => {
  await openModels([model({ name: "", id: "own", languages: [], check: "none", installed: { ...here, source: "file" } })]);
  const facts = await factsOf(group("On this server").getByRole("article"));
  expect(facts).toMatchObject({
    Installed: "From a file, 20 November 2026",
    Verification: "Not verified: it isn’t from the catalog",
    Folder: "own",
  });
  await expect.element(group("On this server").getByRole("article")).toMatchTextContent("Any language");
});

test("says why an installed model can't be used", async () => {
  const fault = "tokens.txt is missing";
  await openModels([{ ...parakeet, installed: { ...here, fault }, keepsUp: false }]);
  const model = own(parakeet.name ?? "");
  await expect.element(model.getByText(fault)).toHaveAttribute("lang", "en");
  expect(badges(parakeet.name ?? "")).toEqual(["Not working"]);
  await expect.element(model).not.toMatchTextContent("Slower than speech");
});

test("warns of an installed model that is slower than speech, depending on its purpose", async () => {
  await openModels([
    { ...parakeet, installed: here, keepsUp: false, measuredSpeed: { factor: 2, threads: 1, at: "2026-11-20T12:00:00.000Z" } },
    { ...voice, installed: here, keepsUp: false, measuredSpeed: { factor: 1.4, threads: 1, at: "2026-11-20T12:00:00.000Z" } },
    { ...pair("en", "de"), installed: here, keepsUp: false },
  ]);
  await expect
    .element(own(parakeet.name ?? ""))
    .toMatchTextContent("Slower than speech on this machine: in live dictation, words appear late. Files are not affected.");
  await expect.element(own(parakeet.name ?? "")).toMatchTextContent("A minute of speech takes 2 min on this machine");
  await expect
    .element(own("Lessac"))
    .toMatchTextContent("Slower than speech on this machine: reading aloud starts late and pauses between sentences.");
  await expect.element(own("Lessac")).toMatchTextContent("A minute of speech takes 84 sec on this machine");
  await expect.element(own("English → German")).not.toMatchTextContent("Slower than speech");
});

test("warns before the download when the machine has too little memory or disk space", async () => {
  const machine = { cores: 2, memoryBytes: 500_000_000, freeMemoryBytes: 1e8, freeDiskBytes: 300_000_000 };
  await openModels([{ ...parakeet, lacks: ["memory", "disk"] }], { machine });
  const warnings = listed(parakeet.name ?? "");
  await expect
    .element(warnings)
    .toMatchTextContent("Needs about 1 GB of memory. This machine has 500 MB, so the model would be slow or not start at all.");
  await expect.element(warnings).toMatchTextContent("Needs 661.2 MB of disk space. Only 300 MB left.");
});

/** A model that serves no need; otherwise its progress would appear under the need. */
const zipformer = model({ id: "zipformer", name: "Zipformer", languages: ["is"] });
const moving = (parts: Partial<Installation>) => ({
  ...zipformer,
  installation: installation({ bytesDone: 120e6, bytesTotal: 480e6, bytesPerSecond: 2e6, secondsLeft: 180, ...parts }),
});

test.for<[Partial<Installation>, string[], string | null]>([
  [{}, ["Downloading", "120 MB of 480 MB", "2 MB/s", "about 3 min left", "from mirror.example"], "25%"],
  [{ isRetrying: true }, ["Downloading", "120 MB of 480 MB", "No connection. Trying again…"], "25%"],
  [{ host: null, bytesPerSecond: null, secondsLeft: null }, ["Downloading", "120 MB of 480 MB"], "25%"],
  [{ bytesTotal: null, secondsLeft: null }, ["Downloading", "2 MB/s", "from mirror.example"], null],
  [{ state: "paused" }, ["Paused", "120 MB of 480 MB"], "25%"],
  [{ state: "waiting" }, ["Waiting", "120 MB of 480 MB"], "25%"],
  [{ state: "waiting", bytesDone: 0 }, ["Waiting"], "0%"],
  [{ state: "verifying", bytesDone: 480e6 }, ["Verifying the download"], "100%"],
  [{ state: "unpacking", bytesDone: 600e6 }, ["Unpacking"], "100%"],
  [{ state: "trying" }, ["Testing on a sentence"], null],
])("shows the progress of an installation (%o)", async ([parts, texts, share]) => {
  await openModels([moving(parts)]);
  const model = own("Zipformer");
  const bar = model.getByRole("progressbar", { name: "Installing Zipformer" });
  await expect.element(bar).toHaveAttribute("aria-valuetext", [...(share === null ? [] : [share]), ...texts].join(", "));
  for (const text of texts) await expect.element(model.getByRole("listitem").getByText(text, { exact: true })).toBeVisible();
});

test.for<["installed" | "cancelled"]>([["installed"], ["cancelled"]])(
  "shows no progress when an installation is %s",
  async ([state]) => {
    await openModels([{ ...moving({ state }), installed: null }]);
    await expect.element(listed("Zipformer").getByRole("button", { name: "Install: Zipformer" })).toBeVisible();
    await expect.element(listed("Zipformer").getByRole("progressbar")).not.toBeInTheDocument();
    await expect.element(group("On this server").getByRole("article")).not.toBeInTheDocument();
  },
);

test.for([
  ["unreachable", "The server couldn’t reach the address, or the connection kept breaking"],
  ["gone", "There is nothing at this address anymore."],
  ["mismatch", "The downloaded file isn’t what we expected: its size or fingerprint differs"],
  ["diskFull", "The server’s disk has too little space."],
  ["damaged", "The archive is damaged or incomplete."],
  ["hostile", "Don’t trust it."],
  ["wrongKind", "Parlance doesn’t know files of this kind, or they don’t match the catalog"],
  ["unusable", "The download is complete, but the model failed its test."],
  ["memory", "The model needs more memory than this machine has."],
  ["unknown", "Something unexpected happened."],
] as const)("says why an installation failed: %s", async ([failure, text]) => {
  await openModels([moving({ state: "failed", failure, detail: "ENOSPC" })]);
  const model = own("Zipformer");
  await expect.element(model).toMatchTextContent("Not installed");
  await expect.element(model).toMatchTextContent(text);
  await model.getByText("Technical details").click();
  await expect.element(model.getByText("ENOSPC")).toBeVisible();
  await expect.element(model.getByRole("progressbar")).not.toBeInTheDocument();
});

test("calls a failure without a reason unexpected, and shows no details", async () => {
  await openModels([moving({ state: "failed", failure: null, detail: null })]);
  await expect.element(own("Zipformer")).toMatchTextContent("Something unexpected happened.");
  await expect.element(own("Zipformer")).not.toMatchTextContent("Technical details");
});

test("lists unfinished installations first, then the installed models by name", async () => {
  await openModels([
    builtIn,
    { ...voice, installed: here },
    { ...parakeet, installation: installation() },
    moving({ state: "failed" }),
    model({ id: "none", name: "Not here" }),
  ]);
  await expect.element(own("Zipformer")).toBeVisible();
  expect(names("On this server")).toEqual(["Zipformer", "Lessac", "Moonshine tiny"]);
});
