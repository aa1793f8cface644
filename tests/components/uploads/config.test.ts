import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, MkvOutputFormat, Output } from "mediabunny";
import { expect, test } from "vitest";
import { answer, openPage, page, refusal } from "#tests/components/harness.ts";
import { chooseFiles } from "#tests/components/harness-files.ts";
import { textsOf } from "#tests/components/harness-texts.ts";

const wav = (name: string, bytes = 72_000) => new File([new Uint8Array(bytes)], name, { type: "audio/wav", lastModified: 1_000 });
const chosen = page.getByTestId("chosen").getByRole("listitem");
const title = page.getByRole("textbox", { name: "Title" });

test("requires a file before it starts, and restores the typed title on the next visit", async () => {
  await openPage("/file-upload-config");
  await title.fill("A talk about  a bridge ");
  await page.getByRole("button", { name: "Start" }).click();
  await expect.element(page.getByText("Choose at least one file.")).toBeVisible();
  await openPage("/about");
  await openPage("/file-upload-config");
  await expect.element(title).toHaveValue("A talk about  a bridge ");
  await expect.element(page.getByText("Choose at least one file.")).not.toBeInTheDocument();
  await title.fill("");
});

test("lists and counts the chosen files, removes one, and disables the title for several files", async () => {
  await openPage("/file-upload-config");
  await expect.element(page.getByTestId("drop-zone")).toBeVisible();
  await chooseFiles(page.getByLabelText("Choose files"), wav("market.wav"), wav("talk.wav", 1_500_000));
  await expect.element(page.getByText("2 files chosen")).toBeVisible();
  expect(textsOf(chosen)).toEqual([expect.stringMatching(/^market\.wav ?72 kB$/), expect.stringMatching(/^talk\.wav ?1\.5 MB$/)]);
  await expect.element(page.getByRole("button", { name: "Start with 2 files" })).toBeVisible();
  await expect.element(title).toBeDisabled();
  await expect.element(page.getByText("Each transcript is named after its file.")).toBeVisible();
  await page.getByRole("button", { name: "Don’t upload talk.wav" }).click();
  await expect.element(page.getByText("1 file chosen")).toBeVisible();
  await expect.element(page.getByTestId("chosen")).toHaveFocus();
  await expect.element(title).toBeEnabled();
  await expect.element(page.getByRole("button", { name: "Start with 1 file", exact: true })).toBeVisible();
});

/** A file with an English sound track and a default German one without a title. */
async function twoTracks(name: string): Promise<File> {
  const target = new BufferTarget();
  const output = new Output({ format: new MkvOutputFormat(), target });
  const sources = ["eng", "ger"].map((languageCode) => {
    const source = new EncodedAudioPacketSource("pcm-s16");
    const isEnglish = languageCode === "eng";
    output.addAudioTrack(source, {
      languageCode,
      disposition: { default: !isEnglish },
      ...(isEnglish && { name: "Commentary" }),
    });
    return source;
  });
  await output.start();
  const decoderConfig = { codec: "pcm-s16", sampleRate: 16_000, numberOfChannels: 1 };
  for (const source of sources) await source.add(new EncodedPacket(new Uint8Array(320), "key", 0, 0.01), { decoderConfig });
  await output.finalize();
  return new File([target.buffer ?? new ArrayBuffer(0)], name, { lastModified: 2_000 });
}

// PROMISE uploads: Of several sound tracks, the default or the chosen one is recognized; another one can be chosen later
test("sends the chosen sound track with a file that has several", async () => {
  const sent: string[] = [];
  answer({
    "POST /api/v1/uploads": ({ request }) => {
      sent.push(request.headers.get("upload-metadata") ?? "");
      return refusal(400, "badRequest");
    },
  });
  await openPage("/file-upload-config");
  await chooseFiles(page.getByLabelText("Choose files"), wav("market.wav"), await twoTracks("two.mkv"));
  const track = page.getByRole("combobox", { name: "Audio track of two.mkv" });
  await expect.element(track).toHaveValue("2");
  await expect.element(page.getByRole("combobox", { name: /^Audio track of/ })).toBeVisible();
  expect(textsOf(track.getByRole("option"))).toEqual(["1: English – Commentary", "2: German"]);
  await track.selectOptions("1: English – Commentary");
  await page.getByRole("button", { name: "Start with 2 files" }).click();
  await expect.poll(() => sent).toHaveLength(2);
  expect(sent.map((metadata) => /\btrack (\S+)/.exec(metadata)?.[1] ?? null).toSorted()).toEqual([btoa("1"), null]);
});
