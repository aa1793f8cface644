import { armor } from "age-encryption";
import { expect, onTestFinished, test, vi } from "vitest";
import { decryptWith } from "#src/features/vault/encryption.ts";
import { createLeftoverDb } from "#src/features/vault/leftovers.ts";
import { answer, openPage, page, refusal, subscription } from "#tests/components/harness.ts";
import { chooseFiles } from "#tests/components/harness-files.ts";
import { button, choose, heading, isSame, keepVault, listed, silence, unlock } from "./kept-vault.ts";

const route = "/api/v1/encrypted-audio";

async function open(): Promise<string> {
  const id = crypto.randomUUID();
  await openPage("/encrypted-audio", { as: "premium", profile: { id } });
  await unlock();
  await expect.element(heading("In the vault")).toBeVisible();
  return id;
}

const addFiles = (...files: File[]) => {
  const input = document.querySelector<HTMLInputElement>("main input[type=file]");
  if (input === null) throw new Error("There is no file chooser.");
  return chooseFiles(page.elementLocator(input), ...files);
};

test("encrypts files before it uploads them one after another, and lists them", async () => {
  const kept = await keepVault();
  await open();
  const name = `${"x".repeat(196)}talk.wav`;
  // A file of more than 1 MB is sent in parts.
  const big = new Uint8Array(1_200_000).map((_, i) => i % 251);
  await addFiles(new File([silence(3)], name, { type: "audio/wav" }), new File([big], "noise"));
  await expect.element(page.getByText("2 recordings, 1.2 MB")).toBeVisible();
  await expect.element(heading("Uploads")).not.toBeInTheDocument();
  const [noise, talk] = kept.items;
  expect(isSame(await kept.soundOf(noise?.id ?? ""), big)).toBe(true);
  expect(isSame(await kept.soundOf(talk?.id ?? ""), silence(3))).toBe(true);
  const recordedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  expect(await kept.metaOf(noise?.id ?? "")).toEqual({
    version: 1,
    name: "noise",
    recordedAt,
    durationSeconds: null,
    type: "application/octet-stream",
  });
  expect(await kept.metaOf(talk?.id ?? "")).toEqual({
    version: 1,
    name: name.slice(-200),
    recordedAt,
    durationSeconds: 3,
    type: "audio/wav",
  });
  expect(talk).toMatchObject({ transcriptionId: null, hasText: false });
  await expect.element(listed.first().getByText("noise", { exact: true })).toBeVisible();
});

test("says why a file could not be added, and retries, cancels or dismisses it", async () => {
  const kept = await keepVault();
  await open();
  await addFiles(new File([], "empty.wav", { type: "audio/wav" }));
  const row = page.getByRole("region", { name: "Uploads" }).getByRole("listitem");
  await expect.element(row.getByText("empty.wav")).toBeVisible();
  await expect.element(row.getByRole("alert")).toBeVisible();
  await button("Cancel empty.wav").click();
  await expect.element(row.getByText("Canceled")).toBeVisible();
  await button("Remove empty.wav from the list").click();
  await expect.element(row).not.toBeInTheDocument();

  answer({ [`POST ${route}`]: refusal(507, "storageFull") });
  await addFiles(new File([silence()], "talk.wav", { type: "audio/wav" }));
  await expect
    .element(
      row.getByText(
        "There is no space left: the server’s disk is full, or the vault has reached its limit of a thousand recordings",
      ),
    )
    .toBeVisible();
  await expect.element(row.getByText("8 kB", { exact: true })).toBeVisible();
  const again = await keepVault();
  again.vault = kept.vault;
  await button("Try again").click();
  await expect.element(listed).toBeVisible();
  await expect.element(row).not.toBeInTheDocument();
  expect(again.items.length).toBe(1);
});

/** Starts a recording with the simulated microphone, which beeps. */
async function record(): Promise<void> {
  await button("Start recording").click();
  await expect.element(page.getByText("Recording", { exact: true })).toBeVisible();
}

test("encrypts a recording while it is made, and stores it even when the vault is locked meanwhile", async () => {
  const kept = await keepVault();
  const owner = await open();
  await record();
  await expect.element(page.getByText("0:01", { exact: true })).toBeVisible();
  const db = createLeftoverDb();
  await expect.poll(() => db.list(owner)).toHaveLength(1);
  const [row] = await db.list(owner);
  const [piece] = await db.pieces(row?.id ?? "");
  expect(new TextDecoder().decode(piece).slice(0, 22)).toBe("age-encryption.org/v1\n");
  expect(row).toMatchObject({ ownerId: owner, type: "audio/webm" });
  await button("Lock").click();
  await expect.element(page.getByText(/^1 recording, /)).toBeVisible();
  await unlock();
  await expect.element(listed.getByText(/^Recording, /).first()).toBeVisible();
  const meta = await kept.metaOf(row?.id ?? "");
  expect(meta).toMatchObject({ type: "audio/webm", version: 1 });
  expect(meta.durationSeconds).toBeGreaterThan(1);
  // A browser's recording begins with EBML.
  expect([...(await kept.soundOf(row?.id ?? "")).slice(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
  await expect.poll(() => db.list(owner)).toEqual([]);
  await expect.element(page.getByText("Your recording is encrypted while you speak.")).toBeVisible();
});

test("updates the recording's level while the page can't draw frames", async () => {
  await keepVault();
  await open();
  const draw = vi.spyOn(window, "requestAnimationFrame").mockImplementation(() => 0);
  onTestFinished(() => draw.mockRestore());
  await record();
  const meter = page.getByRole("meter", { name: "Microphone level" });
  const shown = new Set<unknown>();
  await expect.poll(() => shown.add(meter.element().getAttribute("value")).size).toBeGreaterThan(1);
  await button("Stop").click();
  await expect.element(listed).toBeVisible();
});

test("says why there is no microphone until the next attempt", async () => {
  await keepVault();
  await open();
  const ask = vi.spyOn(navigator.mediaDevices, "getUserMedia").mockRejectedValueOnce(new DOMException("", "NotAllowedError"));
  onTestFinished(() => ask.mockRestore());
  await button("Start recording").click();
  await expect.element(page.getByText("Microphone access is blocked.")).toBeVisible();
  await record();
  await expect.element(page.getByText("Microphone access is blocked.")).not.toBeInTheDocument();
  await button("Stop").click();
  await expect.element(listed).toBeVisible();
});

test("offers an interrupted recording from the browser's encrypted storage, to keep or discard", async () => {
  const kept = await keepVault();
  const id = crypto.randomUUID();
  const db = createLeftoverDb();
  const { ask } = (await import("#src/features/vault/worker.ts")).startWorker();
  const put = async (row: string, ownerId: string, startedAt: number) => {
    for (const [number, text] of ["one ", "two"].entries()) {
      const bytes = new TextEncoder().encode(text);
      await db.putPiece(row, number, await ask("sealBytes", { recipient: kept.keys.vault.recipient, bytes }));
    }
    await db.put({ id: row, ownerId, startedAt, type: "audio/webm", durationSeconds: 62 });
  };
  const [first, second, others] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  await put(second, id, Date.UTC(2026, 2, 2, 9));
  await put(first, id, Date.UTC(2026, 2, 1, 9));
  await put(
    others,
    "This takes a second or two, which also slows down anyone who tries to guess your passphrase",
    Date.UTC(2026, 2, 1, 9),
  );
  await openPage("/encrypted-audio", { as: "premium", profile: { id } });
  await unlock();
  const notices = page.getByText(/^From .* long\. It is stored in this browser, encrypted\.$/);
  await expect
    .poll(() => notices.elements().map(({ textContent }) => textContent))
    .toEqual([
      "From 1 Mar 2026, 10:00, 1:02 long. It is stored in this browser, encrypted.",
      "From 2 Mar 2026, 10:00, 1:02 long. It is stored in this browser, encrypted.",
    ]);
  await button("Save to the vault").first().click();
  await expect.element(listed).toBeVisible();
  await expect.poll(() => notices.elements().length).toBe(1);
  expect(new TextDecoder().decode(await kept.soundOf(first))).toBe("one two");
  expect(await kept.metaOf(first)).toMatchObject({ recordedAt: "2026-03-01T09:00:00.000Z", durationSeconds: 62 });
  await button("Discard").click();
  await expect.element(page.getByText("You have an interrupted recording")).not.toBeInTheDocument();
  expect((await db.list(id)).length).toBe(0);
  expect(
    (await db.list("This takes a second or two, which also slows down anyone who tries to guess your passphrase")).length,
  ).toBe(1);
  await db.remove(others);
  expect(kept.items.length).toBe(1);
});

test("opens the vault without a subscription, but allows no additions or changes", async () => {
  const kept = await keepVault();
  await kept.put("Call", silence());
  await openPage("/encrypted-audio", { as: "free", profile: { id: crypto.randomUUID() } });
  await unlock();
  await expect.element(listed).toBeVisible();
  await expect.element(page.getByText("Adding, renaming, correcting and transcribing need Premium.")).toBeVisible();
  await expect.element(button("Start recording")).not.toBeInTheDocument();
  await expect.element(page.getByText("Drop audio or video here")).not.toBeInTheDocument();
  await listed.getByText("More", { exact: true }).click();
  for (const [name, isFree] of [
    ["Download decrypted", true],
    ["Download encrypted (.age)", true],
    ["Share a link…", true],
    ["Rename", false],
    ["Delete", true],
  ] as const) {
    const item = listed.getByRole("button", { name, exact: true });
    if (isFree) await expect.element(item).toBeEnabled();
    else await expect.element(item).toBeDisabled();
  }
  await listed.getByRole("button", { name: "Share a link…" }).click();
  await expect.element(page.getByText("This recording has no links.")).toBeVisible();
  await expect.element(button("New link…")).not.toBeInTheDocument();
  expect(subscription.plan).toBe("premium");
});

test("creates a link with the chosen contents, shows its address once, and revokes the link", async () => {
  const kept = await keepVault();
  const talk = JSON.stringify(
    (await import("#tests/components/harness-transcripts.ts")).transcriptionOf({ sourceLanguage: "en", text: "Good morning" }),
  );
  await kept.put("Call", silence(2), talk);
  await open();
  answer({ [`GET ${route}/:id/links`]: refusal(500, "internal") });
  await choose("Share a link…");
  const panel = page.getByRole("region", { name: "Links to this recording" });
  await expect.element(panel.getByText("Couldn’t load the links to this recording.")).toBeVisible();
  answer({ [`GET ${route}/:id/links`]: () => ({ links: kept.links }) });
  await panel.getByRole("button", { name: "Try again" }).click();
  await expect.element(panel.getByText("This recording has no links.")).toBeVisible();

  await button("New link…").click();
  const form = panel.getByRole("form", { name: "New link" });
  const [audio, text] = [form.getByLabelText("Audio"), form.getByLabelText("Current transcript")];
  await expect.element(audio).toHaveFocus();
  await expect.element(audio).toBeChecked();
  await audio.click();
  await text.click();
  await button("Create link").click();
  await expect.element(panel.getByText("Choose audio, transcript, or both.")).toBeVisible();
  await text.click();
  const field = form.getByLabelText("Passphrase");
  await field.fill("short");
  await button("Create link").click();
  await expect.element(panel.getByText(/^Use at least \d+ characters\.$/)).toBeVisible();
  await field.fill("seventeen green boats");
  await form.getByLabelText("Expires at the end of").fill("2099-12-31");
  await audio.click();
  await button("Create link").click();
  const shown = page.getByTestId("new-address");
  await expect.element(shown).toMatchTextContent(/\/shared-recording#0{15}1\.s{43}\.[\w-]{43}$/);
  await expect.element(panel.getByText("Anyone who has the link and the passphrase can open the recording.")).toBeVisible();
  const key = shown.element().textContent.split(".").at(-1) ?? "";
  expect(kept.wanted.map(({ sealed, ...wanted }) => [sealed.startsWith("-----BEGIN AGE"), wanted])).toEqual([
    [true, { audio: true, text: true, locked: true, expiresAt: "2099-12-31T22:59:59.999Z" }],
  ]);
  expect(JSON.stringify(kept.wanted)).not.toContain(key);
  await button("Done").click();
  await expect.element(shown).not.toBeInTheDocument();
  await expect.element(panel.getByText("Audio · Text · With a passphrase")).toBeVisible();
  await expect.element(panel.getByText("Created: 2 Mar 2026, 11:00")).toBeVisible();
  await expect.element(panel.getByText("Until 31 December 2099")).toBeVisible();
  await expect.element(panel.getByText("Opened 0 times")).toBeVisible();
  await panel.getByRole("button", { name: /^Revoke the link/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep" }).click();
  expect(kept.links.length).toBe(1);
  const revoke = async () => {
    await panel.getByRole("button", { name: /^Revoke the link/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await expect.element(panel.getByText("This recording has no links.")).toBeVisible();
    await expect.element(page.getByText("Link revoked.").first()).toBeVisible();
    await panel.getByRole("button", { name: "Close" }).click();
    await expect.element(panel).not.toBeInTheDocument();
  };
  const [made] = kept.links;
  await revoke();
  // A link that was revoked elsewhere disappears, too.
  if (made !== undefined) kept.links = [made];
  answer({ [`DELETE ${route}/:id/links/:link`]: refusal(404, "notFound") });
  await choose("Share a link…");
  await revoke();
  expect(armor.decode(kept.items[0]?.meta ?? "").length).toBeGreaterThan(0);
  expect(new TextDecoder().decode(await decryptWith(kept.keys.identity, armor.decode(kept.items[0]?.meta ?? "")))).toContain(
    "Call",
  );
});
