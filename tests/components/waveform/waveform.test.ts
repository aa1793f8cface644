import { beforeEach, expect, test } from "vitest";
import { writePeaks } from "#contract/index.ts";
import { answer, openPage, page, userEvent } from "#tests/components/harness.ts";
import { persistTranscription, soundOfSilence } from "#tests/components/harness-transcripts.ts";

const base = "/api/v1/audio-transcriptions/transcription/:id";
const button = (name: string) => page.getByRole("button", { name, exact: true });
const slider = page.getByRole("slider", { name: "Position" });
const seconds = 10;

beforeEach(() => soundOfSilence(seconds));

/** Peaks of ten seconds of sound with silence from second three to five. */
function peaks(): Uint8Array<ArrayBuffer> {
  const pairMs = 40;
  const pairs = (seconds * 1000) / pairMs;
  const isSilent = (pair: number) => pair * pairMs >= 3_000 && pair * pairMs < 5_000;
  const levels = Int8Array.from({ length: 2 * pairs }, (_, at) => (isSilent(at >> 1) ? 0 : at % 2 === 0 ? -80 : 80));
  return new Uint8Array(writePeaks({ pairMs, levels, audioBytes: 1 }));
}

async function open(given: () => Response = () => new Response(peaks())): Promise<void> {
  const { kept } = persistTranscription({ id: crypto.randomUUID(), hasAudio: true, durationSeconds: seconds });
  answer({ [`GET ${base}/peaks`]: given });
  await openPage(`/transcription/${kept.id}`);
}

const surface = (): HTMLElement => {
  const canvas = document.querySelector("[data-covers-bottom] canvas");
  if (!(canvas?.parentElement instanceof HTMLElement)) throw new Error("Nothing is drawn.");
  return canvas.parentElement;
};
const said = () => document.querySelector("[data-covers-bottom] [class*=waveform] [role=status]")?.textContent;

/** Drags on the waveform between these seconds. */
function drag(from: number, to: number, shiftKey = false): void {
  const { left, width, top } = surface().getBoundingClientRect();
  const at = (time: number) => ({
    clientX: left + (time / seconds) * width,
    clientY: top + 2,
    pointerId: 1,
    shiftKey,
    bubbles: true,
  });
  surface().setPointerCapture = () => {};
  surface().dispatchEvent(new PointerEvent("pointerdown", at(from)));
  surface().dispatchEvent(new PointerEvent("pointermove", at(to)));
  surface().dispatchEvent(new PointerEvent("pointerup", at(to)));
  surface().dispatchEvent(new PointerEvent("pointermove", at(0)));
}
const position = () => {
  const element = slider.element();
  return element instanceof HTMLInputElement ? Number(element.value) : Number.NaN;
};

test("seeks with the pointer, and zooms with keys, buttons and the wheel", async () => {
  await open();
  await expect.element(button("Zoom in")).toBeVisible();
  await expect.element(button("Zoom out")).toHaveAttribute("aria-disabled", "true");
  drag(2, 6);
  await expect.poll(position).toBeCloseTo(6, 0);
  slider.element().focus();
  await userEvent.keyboard("+");
  await expect.poll(said).toBe("Showing 0:05 of 0:10.");
  await expect.element(button("Zoom in")).toHaveAttribute("aria-disabled", "true");
  await button("Zoom out").click();
  await expect.poll(said).toBe("");
  surface().dispatchEvent(new WheelEvent("wheel", { deltaY: -100, ctrlKey: true, bubbles: true, cancelable: true }));
  await expect.poll(said).toBe("Showing 0:05 of 0:10.");
  await userEvent.keyboard("-");
  await expect.poll(said).toBe("");
});

test("loops a part that was selected with the pointer or with buttons", async () => {
  await open();
  await expect.element(button("Loop to here")).toHaveAttribute("aria-disabled", "true");
  drag(1.5, 4.5, true);
  await expect.poll(said).toBe("Looping 0:01 to 0:04.");
  await button("End loop").click();
  await expect.poll(said).toBe("");
  drag(2.5, 2.5);
  await expect.poll(position).toBeCloseTo(2.5, 0);
  await button("Loop from here").click();
  await expect.poll(said).toBe("The loop starts at 0:02. Choose where it ends.");
  drag(5.5, 5.5);
  await expect.poll(position).toBeCloseTo(5.5, 0);
  await button("Loop to here").click();
  await expect.poll(said).toBe("Looping 0:02 to 0:05.");
});

test("skips the silences of a recording on request", async () => {
  await open();
  // The tools appear when the pointer is on the player.
  await button("Play").hover();
  await button("Skip silence").click();
  await expect.element(button("Skip silence")).toHaveAttribute("aria-pressed", "true");
  await expect.poll(said).toMatch(/^Skipping 0:0[12] of silence\.$/);
  drag(3.2, 3.2);
  await button("Play").click();
  await expect.poll(position).toBeGreaterThan(4.5);
});

test("draws no waveform from unreadable peaks", async () => {
  await open(() => new Response("no peaks"));
  await expect.element(slider).toBeVisible();
  await expect.element(button("Zoom in")).not.toBeInTheDocument();
});
