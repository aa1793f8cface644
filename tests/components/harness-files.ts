import { expect } from "vitest";
import type { Locator } from "vitest/browser";

/**
 * Chooses files in a file chooser. `userEvent.upload` would send the bytes to the test runner and back: for 5 MB this
 * takes ten times as long as the rest of a test.
 */
export async function chooseFiles(chooser: Locator, ...files: File[]): Promise<void> {
  await expect.element(chooser).toBeInTheDocument();
  const input = chooser.element();
  if (!(input instanceof HTMLInputElement) || input.type !== "file") throw new Error("This is no file chooser.");
  const chosen = new DataTransfer();
  for (const file of files) chosen.items.add(file);
  input.files = chosen.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}
