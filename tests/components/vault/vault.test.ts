import { expect, onTestFinished, test, vi } from "vitest";
import { pageRouter } from "#src/browser/page-router.ts";
import { openWithPassphrase } from "#src/features/vault/encryption.ts";
import { answer, holdAnswer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { button, choose, heading, isSame, keepVault, listed, passphrase, savedFiles, silence, unlock } from "./kept-vault.ts";

const route = "/api/v1/encrypted-audio";
const open = () => openPage("/encrypted-audio", { as: "premium", profile: { id: crypto.randomUUID() } });
const slider = () => {
  const element = page.getByRole("slider").element();
  if (!(element instanceof HTMLInputElement)) throw new Error("There is no slider.");
  return element;
};
const passphraseField = page.getByRole("textbox", { name: "Passphrase", exact: true });

test("creates a vault with a strong passphrase after the user has kept the recovery key", async () => {
  const kept = await keepVault({ vault: false });
  const saved = savedFiles();
  await open();
  await expect.element(heading("Create your vault")).toBeVisible();
  expect(page.getByRole("strong").elements().length).toBe(4);
  const [next, again, make] = [
    page.getByLabelText("Passphrase", { exact: true }),
    page.getByLabelText("Repeat passphrase"),
    button("Create vault"),
  ];
  await expect.element(page.getByText("At least 12 characters.")).toBeVisible();
  for (const [typed, word, value] of [
    ["eleven char", "Too short", 0],
    ["abcdeabcdeabcde", "Too short", 0],
    ["twelve chars", "Fair", 1],
    ["sixteen letters!", "Good", 2],
    ["twenty letters or so", "Strong", 3],
  ] as const) {
    await next.fill(typed);
    await expect.element(page.getByText(word, { exact: true })).toBeVisible();
    await expect.element(page.getByLabelText("Passphrase strength")).toHaveProperty("value", value);
  }
  await next.fill("short");
  await make.click();
  await expect.element(page.getByText("This is too easy to guess. Use at least 12 characters")).toBeVisible();
  await expect.element(next).toHaveFocus();
  await next.fill("another horse battery");
  await again.fill("another horse");
  await make.click();
  await expect.element(page.getByText("The passphrases don’t match.")).toBeVisible();
  await expect.element(again).toHaveFocus();
  await again.fill("another horse battery");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText("Creating the keys.")).toBeVisible();
  await expect.element(heading("Save your recovery key")).toHaveFocus();
  const key = page.getByTestId("recovery-key").element().textContent;
  expect(key).toMatch(/^AGE-SECRET-KEY-1[0-9A-Z]{58}$/);
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("no")).mockResolvedValue();
  const print = vi.spyOn(window, "print").mockImplementation(() => {});
  onTestFinished(() => {
    copied.mockRestore();
    print.mockRestore();
  });
  await button("Copy").click();
  await expect.element(page.getByText("The browser blocked copying.")).toBeVisible();
  await button("Copy").click();
  await expect.element(page.getByText("Copied.")).toBeVisible();
  expect(copied).toHaveBeenLastCalledWith(key);
  await button("Print").click();
  expect(print).toHaveBeenCalledOnce();
  await button("Download").click();
  expect(await saved.get("parlance-recovery-key.txt")?.text()).toBe(
    `Recovery key of a Parlance vault. Anyone who has it can open the vault.\n\n${key}\n`,
  );
  expect(kept.vault).toBeNull();
  await expect.element(button("Continue")).toBeDisabled();
  await page.getByLabelText("I’ve saved it").click();
  answer({ [`POST ${route}/vault`]: refusal(500, "internal") });
  await button("Continue").click();
  await expect.element(page.getByRole("alert").first()).toBeVisible();
  await expect.element(page.getByTestId("recovery-key")).toHaveTextContent(key);
  const stored: unknown[] = [];
  answer({
    [`POST ${route}/vault`]: async ({ request }) => {
      stored.push(await request.clone().json());
      return { ...(await request.json()), revision: 1 };
    },
  });
  await button("Continue").click();
  await expect.element(heading("In the vault")).toBeVisible();
  await expect.element(page.getByText("Nothing here yet. Record something, or drop a file.")).toBeVisible();
  expect(stored.map((vault) => Object.keys(Object(vault)).toSorted())).toEqual([["recipient", "recoverySealed", "sealed"]]);
  for (const secret of ["another horse battery", key]) {
    expect(JSON.stringify([stored, localStorage, sessionStorage])).not.toContain(secret);
  }
});

test("unlocks the vault with the passphrase, and lists its items with the newest first", async () => {
  const kept = await keepVault();
  await kept.put("Older", silence());
  await kept.put("Newer", silence(2), JSON.stringify({}));
  await open();
  await expect.element(heading("The vault is locked")).toBeVisible();
  await expect.element(page.getByText("2 recordings, 24.5 kB.")).toBeVisible();
  await expect.element(page.getByText("Older")).not.toBeInTheDocument();
  await unlock("not the right words");
  await expect.element(page.getByText("Wrong passphrase.").first()).toBeVisible();
  await expect.element(passphraseField).toHaveFocus();
  const { length } = "not the right words";
  await expect.element(passphraseField).toHaveProperty("selectionEnd", length);
  await expect.element(passphraseField).toHaveProperty("selectionStart", 0);
  await userEvent.keyboard(passphrase);
  await userEvent.keyboard("{Enter}");
  await expect.element(heading("In the vault")).toHaveFocus();
  await expect.element(page.getByText("2 recordings, 24.5 kB")).toBeVisible();
  await expect.element(listed.first().getByText("Newer", { exact: true })).toBeVisible();
  await expect
    .poll(() => textsOf(listed))
    .toEqual([
      expect.stringMatching(/^Newer 1 Mar 2026, 11:00 1:01 [\d.]+ kB with transcript Play ?: Newer More$/),
      expect.stringMatching(/^Older 1 Mar 2026, 11:00 1:01 [\d.]+ kB Play ?: Older More$/),
    ]);
  await button("Lock").click();
  await expect.element(heading("The vault is locked")).toHaveFocus();
  await expect.element(page.getByText("Newer")).not.toBeInTheDocument();
  await expect.element(page.getByText("minutes without activity")).not.toBeInTheDocument();
  await expect.element(button("Lock")).not.toBeInTheDocument();
});

test("plays, saves, renames and deletes an item", async () => {
  const kept = await keepVault();
  const saved = savedFiles();
  await kept.put("Second", silence());
  const id = await kept.put("A: call?", silence(30));
  await open();
  await unlock();
  await button(/^Play.*A: call/).click();
  await expect.element(page.getByRole("region", { name: "Player" })).toBeVisible();
  await expect.element(button("Pause")).toHaveFocus();
  await expect.poll(() => Number(slider().max)).toBe(30);
  await expect.poll(() => Number(slider().value)).toBeGreaterThan(0);
  await userEvent.keyboard("{Alt>}k{/Alt}");
  await expect.element(page.getByRole("region", { name: "Player" }).getByRole("button", { name: "Play" })).toBeVisible();
  await button(/^Play.*Second/).click();
  await expect.poll(() => Number(slider().max)).toBe(1);
  expect(page.getByRole("slider").elements().length).toBe(1);
  await button("Close").click();
  await expect.element(page.getByRole("slider")).not.toBeInTheDocument();

  await choose("Download decrypted");
  await expect.poll(() => saved.get("A call.wav")?.type).toBe("audio/wav");
  expect(isSame(new Uint8Array((await saved.get("A call.wav")?.arrayBuffer()) ?? []), silence(30))).toBe(true);
  await choose("Download encrypted (.age)");
  await expect.poll(() => saved.get("A call.age")?.size).toBe(kept.files.get(id)?.length);

  await choose("Rename");
  const name = page.getByLabelText("Name", { exact: true });
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveProperty("selectionEnd", "A: call?".length);
  await userEvent.keyboard("Nothing{Escape}");
  await expect.element(listed.first().getByText("A: call?", { exact: true })).toBeVisible();
  const [, metaBefore] = [await choose("Rename"), kept.items[0]?.meta];
  await name.fill("   ");
  await userEvent.keyboard("{Enter}");
  await expect.element(name).not.toBeInTheDocument();
  expect(kept.items[0]?.meta).toBe(metaBefore);
  await choose("Rename");
  await name.fill(" Zanzibar ");
  await button("Save").click();
  await expect.element(listed.first().getByText("Zanzibar", { exact: true })).toBeVisible();
  expect(await kept.metaOf(id)).toMatchObject({ name: "Zanzibar", durationSeconds: 61, type: "audio/wav", version: 1 });

  await choose("Delete");
  await expect.element(page.getByRole("dialog", { name: "Delete “Zanzibar”?" })).toBeVisible();
  await button("Keep").click();
  await choose("Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("1 recording, 8.2 kB")).toBeVisible();
  expect(kept.items.map((item) => item.id)).toEqual(["item-1"]);
});

test("does not play a damaged or missing file, and lets the user retry", async () => {
  const kept = await keepVault();
  const id = await kept.put("Call", silence(10));
  await open();
  await unlock();
  const file = kept.files.get(id) ?? new Uint8Array();
  const at = file.length - 5000;
  file[at] = (file[at] ?? 0) ^ 1;
  const play = button(/^Play.*Call/);
  await play.click();
  await expect.element(page.getByText("it was damaged or tampered with.")).toBeVisible();
  await expect.element(page.getByRole("slider")).not.toBeInTheDocument();
  let attempts = 0;
  answer({
    [`GET ${route}/:id/content`]: () => {
      attempts += 1;
      return Response.error();
    },
  });
  await play.click();
  await expect.poll(() => attempts).toBe(4);
  await expect.element(page.getByText("damaged or tampered")).not.toBeInTheDocument();
  await expect.element(listed.getByRole("alert")).toBeVisible();
  const held = holdAnswer();
  answer({ [`GET ${route}/:id/content`]: held.answer });
  await play.click();
  await expect.element(page.getByLabelText("Downloading and decrypting Call")).toBeVisible();
  await expect.element(play).toBeDisabled();
  await button("Cancel").click();
  await expect.element(play).toBeEnabled();
  held.give(new Response(file));
});

// PROMISE vault: Only the recovery key replaces a forgotten passphrase
test("changes the passphrase only with the present one or with the recovery key", async () => {
  const kept = await keepVault();
  await open();
  await unlock();
  await page.getByText("Change passphrase").first().click();
  const change = async (present: string, next: string) => {
    await page.getByLabelText("Current passphrase").fill(present);
    await page.getByLabelText("New passphrase").fill(next);
    await page.getByLabelText("Repeat passphrase").fill(next);
    await button("Change passphrase").click();
  };
  await change("something else entirely", "another horse battery");
  await expect.element(page.getByText("Wrong passphrase.")).toBeVisible();
  expect(kept.vault?.revision).toBe(1);
  await change(passphrase, "short");
  await expect.element(page.getByLabelText("New passphrase")).toHaveFocus();
  expect(kept.vault?.revision).toBe(1);

  await button("Lock").click();
  await page.getByText("Forgot your passphrase?").click();
  await expect.element(page.getByText("Begins with AGE-SECRET-KEY-1.")).toBeVisible();
  const key = page.getByLabelText("Recovery key");
  await key.fill("AGE-SECRET-KEY-1WRONG");
  await button("Open with the recovery key").click();
  await expect.element(page.getByText("Wrong recovery key for this vault.")).toBeVisible();
  await expect.element(key).toHaveFocus();
  await key.fill(` ${kept.keys.recoveryKey.toLowerCase()} `);
  await userEvent.keyboard("{Enter}");
  await expect.element(heading("Choose a new passphrase")).toHaveFocus();
  await passphraseField.fill("a third one at last");
  await page.getByLabelText("Repeat passphrase").fill("a third one at last");
  await button("Set passphrase").click();
  await expect.element(heading("In the vault")).toBeVisible();
  await expect.element(page.getByText("Passphrase changed.")).toBeVisible();
  expect(kept.vault?.revision).toBe(2);
  expect(await openWithPassphrase(kept.vault?.sealed ?? "", "a third one at last")).toBe(kept.keys.identity);
});

// PROMISE vault: The key is gone after fifteen minutes and at logout, in all tabs
test("locks after fifteen idle minutes, with the user's other tabs, and at sign-out", async () => {
  const kept = await keepVault();
  await kept.put("Call", silence());
  const id = crypto.randomUUID();
  let asleep = 0;
  const now = vi.spyOn(Date, "now").mockImplementation(() => Math.floor(performance.timeOrigin + performance.now()) + asleep);
  onTestFinished(() => now.mockRestore());
  await openPage("/encrypted-audio", { as: "premium", profile: { id }, endsIn: 7200 });
  const other = new BroadcastChannel("parlance-vault");
  onTestFinished(() => other.close());
  const heard: unknown[] = [];
  other.addEventListener("message", ({ data }) => heard.push(data));
  await unlock();
  await expect.element(listed).toBeVisible();
  expect(heard).toContainEqual({ ownerId: id, said: "present" });
  other.postMessage({
    ownerId: "This takes a second or two, which also slows down anyone who tries to guess your passphrase",
    said: "lock",
  });
  other.postMessage({ ownerId: id, said: "present" });
  await expect.element(listed).toBeVisible();
  other.postMessage({ ownerId: id, said: "lock" });
  await expect.element(heading("The vault is locked")).toBeVisible();

  // Imitates a device that slept meanwhile.
  await unlock();
  await expect.element(listed).toBeVisible();
  asleep = 14 * 60_000;
  document.dispatchEvent(new Event("visibilitychange"));
  await expect.element(listed).toBeVisible();
  asleep = 30 * 60_000;
  document.dispatchEvent(new Event("visibilitychange"));
  await expect.element(page.getByText("It was locked after 15 minutes without activity.")).toBeVisible();
  now.mockRestore();

  await unlock();
  await expect.element(listed).toBeVisible();
  heard.length = 0;
  localStorage.removeItem("jwtToken");
  dispatchEvent(new StorageEvent("storage", { key: "jwtToken", storageArea: localStorage }));
  await expect.poll(() => pageRouter().state.location.pathname).toBe("/signin");
  await expect.poll(() => heard).toContainEqual({ ownerId: id, said: "lock" });
  // Another user has a separate vault.
  kept.vault = null;
  kept.items = [];
  await open();
  await expect.element(heading("Create your vault")).toBeVisible();
});

test("says why the vault can't be loaded, and deletes a vault whose passphrase is forgotten", async () => {
  const kept = await keepVault();
  await kept.put("Call", silence());
  answer({ [`GET ${route}`]: refusal(500, "internal") });
  await open();
  const again = button("Try again");
  await expect.element(again).toBeVisible();
  answer({ [`GET ${route}`]: () => ({ vault: kept.vault, items: kept.items }) });
  await again.click();
  await expect.element(page.getByText("1 recording, 8.2 kB.")).toBeVisible();
  await page.getByText("Forgot your passphrase?").click();
  await button("Delete the vault").click();
  await expect.element(page.getByText("All recordings in it are deleted immediately.")).toBeVisible();
  await button("Keep").click();
  expect(kept.vault).not.toBeNull();
  await button("Delete the vault").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete the vault" }).click();
  await expect.element(heading("Create your vault")).toBeVisible();
  expect(kept.vault).toBeNull();
});
