import english from "virtual:device-models";
import { http } from "msw";
import { createRoot } from "react-dom/client";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { selectPhase } from "#machines/device-models/selectors.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";
import { pieceBytes } from "#src/features/device-models/files.ts";
import { DeviceModelOffer } from "#src/features/device-models/offer.tsx";
import { lost, openPage, page, userEvent } from "#tests/components/harness.ts";
import { connect } from "#tests/components/harness-network.ts";

// The browser's speech model: offered, downloaded, listed and deleted.

const card = page.getByRole("region", { name: "Recognition on this device", exact: true });
const status = card.getByRole("status");
const button = (name: string) => card.getByRole("button", { name, exact: true });
const download = button("Download model (34.3 MB)");
const { actor } = deviceModels().english;

/** Answers every request for a file of the model. */
function serve(answer: (range: string) => Response | Promise<Response>): void {
  connect(http.get("/assets/:name.bin", ({ request }) => answer(request.headers.get("Range") ?? "")));
}

/** The first piece of the first file; the rest never arrives. */
function firstPiece(): Response {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(pieceBytes)) });
  const { bytes } = english.encoder;
  return new Response(body, { status: 206, headers: { "Content-Range": `bytes 0-${bytes - 1}/${bytes}` } });
}

async function isAbsent(): Promise<void> {
  for (const type of ["cancel.requested", "delete.requested"] as const) actor.send({ type });
  await vi.waitUntil(() => selectPhase(actor.getSnapshot()) === "absent");
}
afterEach(isAbsent);

test("downloads, pauses, resumes and cancels the model in the settings with the keyboard", async () => {
  const ranges: string[] = [];
  serve((range) => {
    ranges.push(range);
    return ranges.length === 1 ? firstPiece() : lost();
  });
  await openPage("/settings/data");
  await expect.element(status).toHaveTextContent("Not on this device");
  await expect.element(card.getByText("English only. There are no models for other languages yet.")).toBeVisible();
  (await download.findElement()).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(status).toHaveTextContent("Downloading the model…");
  await expect.element(card.getByText("2.1 MB of 34.3 MB")).toBeVisible();
  await expect.element(card.getByRole("progressbar", { name: "Model download" })).toHaveAttribute("aria-valuenow", "6");
  await expect.element(button("Pause")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(status).toHaveTextContent("Paused. What is already downloaded is kept.");
  await expect.element(button("Resume")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(status).toHaveTextContent("Connection lost. The download continues automatically.");
  expect(ranges).toEqual(["bytes=0-", `bytes=${pieceBytes}-`]);
  await button("Cancel download").click();
  await expect.element(download).toBeVisible();
});

test("says that there is no room for the model, and offers a retry", async () => {
  const estimate = vi.spyOn(navigator.storage, "estimate").mockResolvedValue({ quota: 1_000_000, usage: 0 });
  onTestFinished(() => estimate.mockRestore());
  await openPage("/settings/data");
  await download.click();
  await expect
    .element(card.getByRole("alert"))
    .toHaveTextContent("Not enough space in this browser’s storage. Free some space on the device, then try again.");
  estimate.mockRestore();
  serve(() => new Response(null, { status: 404 }));
  await button("Try again").click();
  await expect
    .element(card.getByRole("alert"))
    .toHaveTextContent("The server has a newer version of the model. Reload the page.");
  await button("Delete model").click();
  await expect.element(download).toBeVisible();
});

test("offers the model where it is needed until it is on the device", { timeout: 60_000 }, async () => {
  await openPage("/settings/data");
  await expect.element(download).toBeVisible();
  const place = document.createElement("div");
  place.dataset.testid = "offer";
  document.body.append(place);
  const root = createRoot(place);
  root.render(<DeviceModelOffer />);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  const offer = page.getByTestId("offer");
  const said = offer.getByRole("status");
  await expect.element(offer.getByText("No audio is sent to a server.")).toBeVisible();
  await expect.element(said).toHaveTextContent("");
  await offer.getByRole("button", { name: "Download model (34.3 MB)" }).click();
  await expect.element(said).toHaveTextContent("Downloading the model…");
  await vi.waitUntil(() => selectPhase(actor.getSnapshot()) === "ready", { timeout: 50_000 });
  await expect.element(said).toHaveTextContent("The model is on this device.");
  await expect.element(offer.getByRole("heading")).not.toBeInTheDocument();
  await expect.element(card.getByText("34.3 MB", { exact: true })).toBeVisible();
  await button("Delete model").click();
  await expect.element(offer.getByRole("heading", { name: "Recognition on this device" })).toBeVisible();
});
