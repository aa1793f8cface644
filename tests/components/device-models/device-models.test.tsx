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

// The model that the browser keeps: offered, downloaded, listed and deleted.

const card = page.getByRole("region", { name: "Recognition on this device", exact: true });
const status = card.getByRole("status");
const button = (name: string) => card.getByRole("button", { name, exact: true });
const download = button("Download the model (34.3 MB)");
const { actor } = deviceModels().english;

/** Answers every request for a file of the model. */
function serve(answer: (range: string) => Response | Promise<Response>): void {
  connect(http.get("/assets/:name.bin", ({ request }) => answer(request.headers.get("Range") ?? "")));
}

/** The first piece of the first file, after which nothing more arrives. */
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

test("the model is downloaded with the keyboard, paused, continued and given up in the settings", async () => {
  const ranges: string[] = [];
  serve((range) => {
    ranges.push(range);
    return ranges.length === 1 ? firstPiece() : lost();
  });
  await openPage("/settings/data");
  await expect.element(status).toHaveTextContent("Not on this device");
  await expect.element(card.getByText("Works in English. Other languages have no model yet.")).toBeVisible();
  (await download.findElement()).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(status).toHaveTextContent("The model is being downloaded.");
  await expect.element(card.getByText("2.1 MB of 34.3 MB")).toBeVisible();
  await expect.element(card.getByRole("progressbar", { name: "Download of the model" })).toHaveAttribute("aria-valuenow", "6");
  await expect.element(button("Pause")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(status).toHaveTextContent("Paused. What is already here is kept.");
  await expect.element(button("Resume")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(status).toHaveTextContent("The connection is lost. The download goes on by itself.");
  expect(ranges).toEqual(["bytes=0-", `bytes=${pieceBytes}-`]);
  await button("Cancel the download").click();
  await expect.element(download).toBeVisible();
});

test("says that there is no room, and offers to try again", async () => {
  const estimate = vi.spyOn(navigator.storage, "estimate").mockResolvedValue({ quota: 1_000_000, usage: 0 });
  onTestFinished(() => estimate.mockRestore());
  await openPage("/settings/data");
  await download.click();
  await expect
    .element(card.getByRole("alert"))
    .toHaveTextContent("There is not enough room in this browser’s storage. Make room on the device, then try again.");
  estimate.mockRestore();
  serve(() => new Response(null, { status: 404 }));
  await button("Try again").click();
  await expect
    .element(card.getByRole("alert"))
    .toHaveTextContent("The server has a newer version of the model. Load the page again.");
  await button("Delete the model").click();
  await expect.element(download).toBeVisible();
});

test("the model is offered where it is needed until it is on this device", { timeout: 60_000 }, async () => {
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
  await expect.element(offer.getByText("No sound is sent to a server for that.")).toBeVisible();
  await expect.element(said).toHaveTextContent("");
  await offer.getByRole("button", { name: "Download the model (34.3 MB)" }).click();
  await expect.element(said).toHaveTextContent("The model is being downloaded.");
  await vi.waitUntil(() => selectPhase(actor.getSnapshot()) === "ready", { timeout: 50_000 });
  await expect.element(said).toHaveTextContent("The model is on this device.");
  await expect.element(offer.getByRole("heading")).not.toBeInTheDocument();
  await expect.element(card.getByText("34.3 MB", { exact: true })).toBeVisible();
  await button("Delete the model").click();
  await expect.element(offer.getByRole("heading", { name: "Recognition on this device" })).toBeVisible();
});
