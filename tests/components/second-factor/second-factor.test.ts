import { expect, test, vi } from "vitest";
import type { SecondFactor } from "#contract/index.ts";
import { ada, answer, holdAnswer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";

// Two-step sign-in in the settings: turning it on, new recovery codes, turning it off.

const card = page.getByRole("region", { name: "Two-step sign-in", exact: true });
const button = (name: string) => card.getByRole("button", { name, exact: true });
const password = card.getByLabelText("Current password", { exact: true });
const alert = card.getByRole("alert");
const text = (words: string) => card.getByText(words, { exact: true });
const enter = () => userEvent.keyboard("{Enter}");
const path = "/users/me/second-factor";
const status = (more: Partial<SecondFactor> = {}): SecondFactor => ({
  ...{ enabledAt: "2026-03-04T11:00:00.000Z", recoveryCodesLeft: 10, required: false },
  ...more,
});
const off = status({ enabledAt: null, recoveryCodesLeft: 0 });
const phone = { id: "phone", device: null, createdAt: "2026-01-01T00:00:00.000Z", seenAt: null, current: false };
const sessions = page.getByRole("region", { name: "Where you’re signed in" }).getByRole("listitem");

test("turns the second factor on with the password and a code, and shows the recovery codes once", async () => {
  const sent: unknown[] = [];
  const offer = holdAnswer();
  const codes = Array.from({ length: 10 }, (_, at) => `code-${at}`);
  let now = off;
  answer({
    [`GET ${path}`]: () => now,
    "GET /users/me/sessions": { sessions: [{ ...phone, id: "this", current: true }, phone] },
    [`POST ${path}`]: async ({ request }) => {
      sent.push(await request.json());
      return offer.answer();
    },
    [`POST ${path}/confirmation`]: async ({ request }) => {
      sent.push(await request.json());
      return sent.length < 4 ? refusal(422, "wrongCode") : { recoveryCodes: codes };
    },
  });
  await openPage("/settings/security");
  await expect.element(card.getByText(/^You currently sign in with your password only\./)).toBeVisible();
  await expect.element(card.getByText("The operator of this server requires this for administrators")).not.toBeInTheDocument();
  await button("Turn on…").click();
  await expect.element(password).toHaveFocus();
  await expect.element(button("Turn on…")).not.toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expect.element(button("Turn on…")).toHaveFocus();
  await button("Turn on…").click();
  await password.fill("wrong");
  await enter();
  await expect.element(button("Continue")).toHaveAttribute("aria-busy", "true");
  // Escape does not close the form while a request is pending.
  await userEvent.keyboard("{Escape}");
  offer.give(refusal(403, "wrongPassword"));
  await expect.element(alert).toHaveTextContent("Wrong password.");
  await expect.element(button("Continue")).not.toHaveAttribute("aria-busy", "true");
  await password.fill("correct horse");
  offer.give({ secret: "ABCDEFGHIJ", uri: "otpauth://totp/Parlance:ada?secret=ABCDEFGHIJ" });
  await enter();
  const code = card.getByLabelText("Code", { exact: true });
  await expect.element(code).toHaveFocus();
  await expect.element(card.getByRole("heading", { name: "Add it to your authenticator app" })).toBeVisible();
  await expect.element(card.getByTestId("secret")).toHaveTextContent("ABCD EFGH IJ");
  const qr = await card.getByRole("img", { name: "QR code with the secret for your authenticator app" }).findElement();
  // Version 4 of a QR code has 33 modules, plus a quiet zone of four on each side.
  expect(qr.getAttribute("viewBox")).toBe("0 0 41 41");
  expect(qr.querySelector("path")?.getAttribute("d")).toMatch(/^M4 4h1v1h-1zM5 4h1v1h-1z/);
  await expect.element(code).toHaveAttribute("inputmode", "numeric");
  await expect.element(code).toHaveAttribute("autocomplete", "one-time-code");
  await expect.element(code).toHaveAccessibleDescription("6 digits. The code changes every half minute.");
  await enter();
  await expect.element(code).toHaveAccessibleDescription(/Enter the code\./);
  expect(sent).toHaveLength(2);
  await code.fill("000 000");
  await enter();
  await expect.element(code).toHaveAccessibleDescription(/The code is wrong or was already used\./);
  await expect.element(code).toHaveValue("000 000");
  await expect.element(alert).not.toBeInTheDocument();
  expect(sessions.elements()).toHaveLength(2);
  await code.fill("123456");
  await button("Turn on").click();
  await expect.element(card.getByRole("heading", { name: "Your recovery codes" })).toHaveFocus();
  expect((await card.getByTestId("recovery-codes").findElement()).textContent).toBe(codes.join("\n"));
  await expect.poll(() => sessions.elements().length).toBe(1);
  await expect.element(card.getByTestId("secret")).not.toBeInTheDocument();
  expect(sent).toEqual([{ password: "wrong" }, { password: "correct horse" }, { code: "000 000" }, { code: "123456" }]);
  now = status();
  await button("Done").click();
  await expect.element(text("On since 4 March 2026")).toBeVisible();
  await expect.element(text("10 recovery codes left.")).toBeVisible();
  await expect.element(button("New recovery codes…")).toHaveFocus();
  await expect.element(card.getByTestId("recovery-codes")).not.toBeInTheDocument();
});

test("copies the recovery codes, and says when the browser denies access to the clipboard", async () => {
  const copied: string[] = [];
  const clipboard = vi.spyOn(navigator.clipboard, "writeText").mockImplementation((words) => {
    copied.push(words);
    return copied.length === 1 ? Promise.resolve() : Promise.reject(new DOMException("denied", "NotAllowedError"));
  });
  answer({ [`GET ${path}`]: status(), [`POST ${path}/recovery-codes`]: { recoveryCodes: ["one", "two"] } });
  await openPage("/settings/security");
  await button("New recovery codes…").click();
  await password.fill("correct horse");
  await card.getByLabelText("Code from the app, or a recovery code").fill("123456");
  await enter();
  await button("Copy").click();
  await expect.element(card.getByRole("status").getByText("Copied.", { exact: true })).toBeVisible();
  await button("Copy").click();
  const notCopied = "Couldn’t copy the codes. Select them and copy them yourself.";
  await expect.element(card.getByRole("status").getByText(notCopied)).toBeVisible();
  expect(copied).toEqual(["one\ntwo", "one\ntwo"]);
  clipboard.mockRestore();
});

test("renews the recovery codes and turns the second factor off, each with the password and a code", async () => {
  const sent: unknown[] = [];
  let now = status({ recoveryCodesLeft: 4 });
  const change = async (name: string, request: Request) => sent.push([name, await request.json()]);
  answer({
    [`GET ${path}`]: () => now,
    [`POST ${path}/recovery-codes`]: async ({ request }) => {
      await change("newCodes", request);
      now = status({ recoveryCodesLeft: 1 });
      return { recoveryCodes: ["one"] };
    },
    [`DELETE ${path}`]: async ({ request }) => {
      await change("off", request);
      if (sent.length === 2) return refusal(422, "wrongCode");
      now = off;
      return new Response(null, { status: 204 });
    },
  });
  await openPage("/settings/security");
  await expect.element(text("4 recovery codes left.")).toBeVisible();
  await button("New recovery codes…").click();
  await expect.element(card.getByRole("heading", { name: "New recovery codes" })).toBeVisible();
  await expect.element(card.getByText(/^They replace your remaining codes\./)).toBeVisible();
  await button("Cancel").click();
  await expect.element(button("New recovery codes…")).toHaveFocus();
  await button("New recovery codes…").click();
  await password.fill("correct horse");
  const code = card.getByLabelText("Code from the app, or a recovery code");
  await expect.element(code).toHaveAccessibleDescription("6 digits, or one of the codes you saved.");
  await expect.element(code).not.toHaveAttribute("inputmode");
  await expect.element(code).toHaveAttribute("autocomplete", "off");
  await code.fill("111111");
  await button("Create new codes").click();
  await button("Done").click();
  await expect.element(text("Only 1 recovery code left. Create new ones before you run out.")).toBeVisible();
  await expect.element(button("New recovery codes…")).toHaveFocus();
  await button("Turn off…").click();
  await expect.element(card.getByText(/^You will sign in with your password only\./)).toBeVisible();
  await password.fill("correct horse");
  await code.fill("222222");
  await enter();
  await expect.element(code).toHaveAccessibleDescription(/The code is wrong/);
  await userEvent.keyboard("{Escape}");
  await expect.element(button("Turn off…")).toHaveFocus();
  await button("Turn off…").click();
  await password.fill("correct horse");
  await code.fill("333333");
  await button("Turn off").click();
  await expect.element(page.getByRole("status").getByText("Two-step sign-in is off.")).toBeVisible();
  await expect.element(button("Turn on…")).toHaveFocus();
  expect(sent).toEqual([
    ["newCodes", { password: "correct horse", code: "111111" }],
    ["off", { password: "correct horse", code: "222222" }],
    ["off", { password: "correct horse", code: "333333" }],
  ]);
});

test("warns about few recovery codes, and tells administrators when the server requires the second factor", async () => {
  answer({ [`GET ${path}`]: status({ recoveryCodesLeft: 3 }) });
  await openPage("/settings/security");
  await expect.element(text("Only 3 recovery codes left. Create new ones before you run out.")).toBeVisible();
  await expect.element(text("3 recovery codes left.")).not.toBeInTheDocument();
  await openPage("/feedback");
  answer({ [`GET ${path}`]: { ...off, required: true } });
  await openPage("/settings/security");
  await expect.element(card.getByText(/^The operator of this server requires this for administrators/)).toBeVisible();
});

test("says why the second factor could not be changed", async () => {
  const refused = ["tooManyRequests", "freshSignInRequired", "network", "internal", "codesUnreadable", "accountBlocked"];
  const texts: [step: string, code: string, shown: string][] = [];
  let next = "";
  const no = () => (next === "network" ? Response.error() : refusal(400, next));
  answer({ [`GET ${path}`]: status(), [`POST ${path}`]: no, [`POST ${path}/recovery-codes`]: no });
  await openPage("/settings/security");
  await button("New recovery codes…").click();
  await password.fill("correct horse");
  await card.getByLabelText("Code from the app, or a recovery code").fill("123456");
  for (next of refused) {
    await button("Create new codes").click();
    await expect.poll(() => textsOf(alert)).not.toEqual(texts.slice(-1).map(([, , shown]) => shown));
    await expect.element(alert).toBeVisible();
    texts.push(["change", next, textsOf(alert).join()]);
  }
  expect(texts).toEqual([
    ["change", "tooManyRequests", "Too many attempts. Try again later, or use a recovery code if you have one."],
    ["change", "freshSignInRequired", "Please confirm that it’s you."],
    ["change", "network", "No connection to the server. Try again."],
    ["change", "internal", "That didn’t work. Try again."],
    [
      "change",
      "codesUnreadable",
      expect.stringMatching(/^This server can’t check codes right now because its key for them is missing/),
    ],
    ["change", "accountBlocked", "The operator of this server has blocked your account."],
  ]);
  next = "conflict";
  await button("Create new codes").click();
  await expect
    .element(alert)
    .toHaveTextContent("This was changed elsewhere in the meantime, or took too long. Here is the current state.");
  await expect.element(text("On since 4 March 2026")).toBeVisible();
});

test("says why the second factor can't be turned on for a user without a password", async () => {
  const bob = { id: "bob", hasPassword: false } as const;
  const sent: unknown[] = [];
  answer({
    "GET /users/me": { ...ada, ...bob },
    [`POST ${path}`]: async ({ request }) => {
      sent.push(await request.json());
      return refusal(403, ["freshSignInRequired", "tooManyRequests", "codesUnreadable"][sent.length - 1] ?? "");
    },
  });
  await openPage("/settings/security", { profile: bob });
  await button("Turn on…").click();
  await expect.element(password).not.toBeInTheDocument();
  await expect.element(card.getByText("You have no password here yet.")).toBeVisible();
  for (const shown of [
    "Please confirm that it’s you.",
    "Too many attempts. Try again later, or use a recovery code if you have one.",
    "That didn’t work. Try again.",
  ]) {
    await button("Continue").click();
    await expect.element(alert.getByText(shown, { exact: true })).toBeVisible();
  }
  expect(sent).toEqual([{ password: "" }, { password: "" }, { password: "" }]);
});

test("retries loading the second factor, and hides it when the server does not offer it", async () => {
  const held = holdAnswer();
  answer({ [`GET ${path}`]: refusal(500, "internal") });
  await openPage("/settings/security");
  await expect.element(alert.getByText("Couldn’t load whether two-step sign-in is on.")).toBeVisible();
  answer({ [`GET ${path}`]: held.answer });
  await button("Try again").click();
  await expect.element(card.getByRole("status").getByText("Loading…")).toBeVisible();
  await expect.element(alert).not.toBeInTheDocument();
  held.give(status());
  await expect.element(text("On since 4 March 2026")).toBeVisible();
  await expect.element(card.getByRole("status")).not.toBeInTheDocument();
  await openPage("/feedback");
  answer({ [`GET ${path}`]: refusal(404, "notOffered") });
  await openPage("/settings/security");
  await expect.element(page.getByRole("region", { name: "Passkeys", exact: true })).toBeVisible();
  await expect.element(card).not.toBeInTheDocument();
});

test("opens the admin pages to an administrator right after they turn the second factor on", async () => {
  const profile = { ...ada, id: "grace", isSuperUser: true };
  answer({
    "GET /users/me": { ...profile, lacksSecondFactor: true },
    "GET /admin/models": { engines: [], models: [] },
    [`GET ${path}`]: { ...off, required: true },
    [`POST ${path}`]: { secret: "ABCDEFGH", uri: "otpauth://totp/x?secret=ABCDEFGH" },
    [`POST ${path}/confirmation`]: { recoveryCodes: ["one"] },
  });
  await openPage("/admin/models", { as: "superuser", profile: { ...profile, lacksSecondFactor: true } });
  await expect.poll(() => location.pathname + location.hash).toBe("/settings/security#second-factor");
  await expect.poll(() => document.activeElement?.textContent).toBe("Two-step sign-in");
  await button("Turn on…").click();
  await password.fill("correct horse");
  await enter();
  await card.getByLabelText("Code", { exact: true }).fill("123456");
  await enter();
  // The profile in this browser is older than the second factor.
  answer({ "GET /users/me": profile });
  await button("Done").click();
  await openPage("/admin/models", { as: "superuser", profile: { ...profile, lacksSecondFactor: true } });
  expect(location.pathname).toBe("/admin/models");
});
