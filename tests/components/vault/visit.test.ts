import { expect, test } from "vitest";
import { vaultLinkFragment } from "#contract/index.ts";
import { type SharedAbout, sealLink } from "#src/features/vault/link-crypto.ts";
import { answer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";

// A link to a recording in a vault, decrypted in this browser.

const secret = "s".repeat(43);
const path = "/api/v1/shared-recordings/:id";
const main = page.getByRole("main");
const heading = (name: string) => expect.element(main.getByRole("heading", { name, exact: true, level: 1 })).toBeVisible();
const passphrase = page.getByLabelText("Passphrase", { exact: true });
const about = (more: Partial<SharedAbout> = {}): SharedAbout => ({
  ...{ version: 1, name: "Harbour", recordedAt: "2026-03-04T11:00:00.000Z", durationSeconds: 65, type: "audio/webm" },
  ...{ language: "en", targetLanguage: "es" },
  passages: [
    { start: 0, end: 4, text: "The harbour is old.", speaker: "1", translation: "El puerto es viejo." },
    { start: 64, end: 65, text: "It is." },
  ],
  ...more,
});
const addressWith = (key: string) => `/shared-recording#${vaultLinkFragment({ id: "0123456789abcdef", secret, key })}`;
const press = (name: string) => main.getByRole("button", { name, exact: true }).click();

/**
 * Opens a link with this encrypted content.
 * @returns the page's requests and the sealed content
 */
async function open(content: SharedAbout, locked: string | null = null, size: number | null = null) {
  const sent: unknown[] = [];
  const { sealed, key } = await sealLink({ about: content, fileKey: size === null ? null : new Uint8Array(16) }, locked, 4);
  answer({
    [`POST ${path}/open`]: async ({ request, params }) => {
      sent.push([params.id, await request.json()]);
      return { sealed, locked: locked !== null, size, expiresAt: locked === null ? null : "2027-01-07T11:00:00.000Z" };
    },
  });
  await openPage(addressWith(key), { as: "visitor" });
  return { sent, sealed };
}

test("asks for a recording's passphrase, and shows its decrypted text", async () => {
  const { sent } = await open(about(), "seventeen green boats");
  await heading("This recording needs a passphrase");
  await expect.element(passphrase).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(passphrase).toHaveAccessibleDescription("Enter the passphrase.");
  await passphrase.fill("boats");
  await userEvent.keyboard("{Enter}");
  await expect
    .element(passphrase)
    .toHaveAccessibleDescription("This didn’t work. Check the passphrase, and make sure the link is complete.");
  await passphrase.fill("seventeen green boats");
  await press("Open");
  await heading("Harbour");
  await expect.element(main.getByRole("heading", { level: 1 })).toHaveFocus();
  expect(document.querySelector("main header")?.textContent).toBe(
    "Harbour4 Mar 2026, 12:001:05 longSpoken: EnglishAvailable until 7 January 2027This recording was decrypted in your browser. The server can’t read it.",
  );
  const passages = [...document.querySelectorAll("main article > div > div")].map(({ textContent }) => textContent);
  expect(passages).toEqual(["0:00Speaker 1The harbour is old.El puerto es viejo.", "1:04It is."]);
  expect(document.querySelector("meta[name=robots]")?.getAttribute("content")).toBe("noindex, nofollow, noarchive");
  await expect.element(main.getByRole("button", { name: "Download and play" })).not.toBeInTheDocument();
  // The page does not send the decryption key.
  expect(sent).toEqual([["0123456789abcdef", { secret }]]);
});

test("shows a recording without a text, and says why its audio can't be played", async () => {
  await open(about({ passages: null, durationSeconds: null, language: "auto" }), null, 40);
  await heading("Harbour");
  await expect.poll(() => document.querySelector("main header p")?.textContent).toBe("4 Mar 2026, 12:00");
  expect(document.querySelectorAll("main article > div > div p")).toHaveLength(0);
  answer({ [`GET ${path}/content`]: refusal(500, "internal") });
  await press("Download and play");
  await expect.element(main.getByRole("alert")).toHaveTextContent("Couldn’t download the audio. Try again.");
  answer({
    [`GET ${path}/content`]: new Response(new Uint8Array(40), { status: 206, headers: { "Content-Range": "bytes 0-39/40" } }),
  });
  await press("Download and play");
  await expect
    .element(main.getByRole("alert"))
    .toMatchTextContent(/^This recording can’t be opened because it was damaged or tampered with\./);
  await expect.element(main.getByRole("button", { name: "Download and play" })).toBeVisible();
});

test("says why a link does not open, is incomplete, or can't be loaded", async () => {
  const { sealed } = await open(about({ passages: [] }));
  await expect.element(main.getByText("This transcript is empty.")).toBeVisible();
  await openPage("/about", { as: "visitor" });
  answer({ [`POST ${path}/open`]: { sealed, locked: false, size: null, expiresAt: null } });
  await openPage(addressWith("k".repeat(43)), { as: "visitor" });
  await heading("This link is incomplete");
  await openPage("/about", { as: "visitor" });
  await openPage("/shared-recording#0123456789abcdef", { as: "visitor" });
  await heading("This link is incomplete");
  await openPage("/about", { as: "visitor" });
  let code = "tooManyRequests";
  answer({ [`POST ${path}/open`]: () => refusal(code === "notFound" ? 404 : 429, code) });
  await openPage(addressWith("k".repeat(43)), { as: "visitor" });
  await heading("Couldn’t open the recording");
  await expect.element(main.getByText("Too many links were opened from here. Wait 15 minutes and try again.")).toBeVisible();
  code = "internal";
  await press("Try again");
  await expect.element(main.getByText("Something went wrong. Try again.")).toBeVisible();
  code = "notFound";
  await press("Try again");
  await heading("This link doesn’t work");
});
