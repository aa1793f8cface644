import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { withOwnType } from "#src/features/vault/media-type.ts";

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/audio/${name}`, import.meta.url));
const typeOf = async (bytes: BlobPart, type: string) => (await withOwnType(new Blob([bytes], { type }))).type;

describe("media type of a vault recording", () => {
  it.each([
    ["market.m4a", "audio/mp4"],
    ["market.webm", "audio/webm"],
    ["market.ogg", "audio/ogg"],
    ["market.opus", "audio/ogg"],
    ["market.flac", "audio/flac"],
    ["market.wav", "audio/wav"],
    ["market.mp3", "audio/mpeg"],
  ])("the media type of a vault recording comes from the bytes, whatever the file was called: %s", async (name, type) => {
    for (const wrong of ["audio/x-ms-wma", "application/octet-stream", ""]) expect(await typeOf(fixture(name), wrong)).toBe(type);
    expect(await typeOf(fixture(name), `${type};codecs="x"`)).toBe(`${type};codecs="x"`);
  });

  it("the media type of a vault recording is video if the file was called one", async () => {
    expect(await typeOf(fixture("market.mp4"), "video/webm")).toBe("video/mp4");
    expect(await typeOf(fixture("market.mp4"), "video/quicktime")).toBe("video/quicktime");
  });

  it("the media type of a vault recording is found behind tags", async () => {
    const tag = new Uint8Array(10 + 200);
    tag.set([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 72]);
    expect(await typeOf(new Blob([tag, fixture("market.flac")]), "audio/mpeg")).toBe("audio/flac");
    expect(await typeOf(new Blob([tag, tag, Uint8Array.of(0xff, 0xfb, 0x90, 0x64)]), "audio/mp4")).toBe("audio/mpeg");
  });

  it.each(["", "one two", "ID3", "\ufeffa text"])(
    "the media type of a vault recording stays as given if the bytes are unknown: %j",
    async (text) => {
      expect(await typeOf(text, "audio/amr")).toBe("audio/amr");
      expect(await typeOf(text, "")).toBe("application/octet-stream");
    },
  );
});
