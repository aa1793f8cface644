import { expect, test, vi } from "vitest";
import type { SecondFactor } from "#contract/index.ts";
import { ada, answer, holdAnswer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";

// Two-step sign-in in the settings: turned on, given new recovery codes, turned off.

const card = page.getByRole("region", { name: "Two-step sign-in", exact: true });
const button = (name: string) => card.getByRole("button", { name, exact: true });
const password = card.getByLabelText("Your present password", { exact: true });
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
const sessions = page.getByRole("region", { name: "Where you are signed in" }).getByRole("listitem");

test("turns the second factor on by the password and the first code, and shows the recovery codes once", async () => {
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
  await expect.element(card.getByText(/^Signing in asks for the password alone\./)).toBeVisible();
  await expect.element(card.getByText("The operator of this server wants this")).not.toBeInTheDocument();
  await button("Turn on…").click();
  await expect.element(password).toHaveFocus();
  await expect.element(button("Turn on…")).not.toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await expect.element(button("Turn on…")).toHaveFocus();
  await button("Turn on…").click();
  await password.fill("wrong");
  await enter();
  await expect.element(button("Continue")).toHaveAttribute("aria-busy", "true");
  // Nothing gives the form up while its answer is awaited.
  await userEvent.keyboard("{Escape}");
  offer.give(refusal(403, "wrongPassword"));
  await expect.element(alert).toHaveTextContent("The password is wrong.");
  await expect.element(button("Continue")).not.toHaveAttribute("aria-busy", "true");
  await password.fill("correct horse");
  offer.give({ secret: "ABCDEFGHIJ", uri: "otpauth://totp/Parlance:ada?secret=ABCDEFGHIJ" });
  await enter();
  const code = card.getByLabelText("Code", { exact: true });
  await expect.element(code).toHaveFocus();
  await expect.element(card.getByRole("heading", { name: "Add it to your authenticator app" })).toBeVisible();
  await expect.element(card.getByTestId("secret")).toHaveTextContent("ABCD EFGH IJ");
  const qr = await card.getByRole("img", { name: "QR code with the secret for your authenticator app" }).findElement();
  // Version 4 has 33 modules, and four free ones on each side.
  expect(qr.getAttribute("viewBox")).toBe("0 0 41 41");
  expect(qr.querySelector("path")?.getAttribute("d")).toMatch(/^M4 4h1v1h-1zM5 4h1v1h-1z/);
  await expect.element(code).toHaveAttribute("inputmode", "numeric");
  await expect.element(code).toHaveAttribute("autocomplete", "one-time-code");
  await expect.element(code).toHaveAccessibleDescription("6 digits. A new one comes every half minute.");
  await enter();
  await expect.element(code).toHaveAccessibleDescription(/Type the code\./);
  expect(sent).toHaveLength(2);
  await code.fill("000 000");
  await enter();
  await expect.element(code).toHaveAccessibleDescription(/The code is wrong, or was used already\./);
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
  await button("I have kept them").click();
  await expect.element(text("On since 4 March 2026")).toBeVisible();
  await expect.element(text("10 recovery codes are left.")).toBeVisible();
  await expect.element(button("New recovery codes…")).toHaveFocus();
  await expect.element(card.getByTestId("recovery-codes")).not.toBeInTheDocument();
});

test("copies the recovery codes, and says when the browser lets nothing be copied", async () => {
  const copied: string[] = [];
  const clipboard = vi.spyOn(navigator.clipboard, "writeText").mockImplementation((words) => {
    copied.push(words);
    return copied.length === 1 ? Promise.resolve() : Promise.reject(new DOMException("denied", "NotAllowedError"));
  });
  answer({ [`GET ${path}`]: status(), [`POST ${path}/recovery-codes`]: { recoveryCodes: ["one", "two"] } });
  await openPage("/settings/security");
  await button("New recovery codes…").click();
  await password.fill("correct horse");
  await card.getByLabelText("Code of the app, or a recovery code").fill("123456");
  await enter();
  await button("Copy").click();
  await expect.element(card.getByRole("status").getByText("Copied.", { exact: true })).toBeVisible();
  await button("Copy").click();
  const notCopied = "They could not be copied. Select them and copy them by hand.";
  await expect.element(card.getByRole("status").getByText(notCopied)).toBeVisible();
  expect(copied).toEqual(["one\ntwo", "one\ntwo"]);
  clipboard.mockRestore();
});

test("makes new recovery codes and turns the second factor off, each with the password and a code", async () => {
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
  await expect.element(text("4 recovery codes are left.")).toBeVisible();
  await button("New recovery codes…").click();
  await expect.element(card.getByRole("heading", { name: "New recovery codes" })).toBeVisible();
  await expect.element(card.getByText(/^They take the place of those that are left\./)).toBeVisible();
  await button("Cancel").click();
  await expect.element(button("New recovery codes…")).toHaveFocus();
  await button("New recovery codes…").click();
  await password.fill("correct horse");
  const code = card.getByLabelText("Code of the app, or a recovery code");
  await expect.element(code).toHaveAccessibleDescription("6 digits, or one of the codes that you kept.");
  await expect.element(code).not.toHaveAttribute("inputmode");
  await expect.element(code).toHaveAttribute("autocomplete", "off");
  await code.fill("111111");
  await button("Make new codes").click();
  await button("I have kept them").click();
  await expect.element(text("Only 1 recovery code is left. Make new ones before you need them.")).toBeVisible();
  await expect.element(button("New recovery codes…")).toHaveFocus();
  await button("Turn off…").click();
  await expect.element(card.getByText(/^From then on, the password alone lets you in\./)).toBeVisible();
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

test("warns when three recovery codes or fewer are left, and administrators of a server that wants the second factor", async () => {
  answer({ [`GET ${path}`]: status({ recoveryCodesLeft: 3 }) });
  await openPage("/settings/security");
  await expect.element(text("Only 3 recovery codes are left. Make new ones before you need them.")).toBeVisible();
  await expect.element(text("3 recovery codes are left.")).not.toBeInTheDocument();
  await openPage("/feedback");
  answer({ [`GET ${path}`]: { ...off, required: true } });
  await openPage("/settings/security");
  await expect.element(card.getByText(/^The operator of this server wants this of administrators:/)).toBeVisible();
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
  await card.getByLabelText("Code of the app, or a recovery code").fill("123456");
  for (next of refused) {
    await button("Make new codes").click();
    await expect.poll(() => textsOf(alert)).not.toEqual(texts.slice(-1).map(([, , shown]) => shown));
    await expect.element(alert).toBeVisible();
    texts.push(["change", next, textsOf(alert).join()]);
  }
  expect(texts).toEqual([
    ["change", "tooManyRequests", "Too many attempts. Try again later, or use a recovery code if you have one."],
    ["change", "freshSignInRequired", "Confirm first that it is you."],
    ["change", "network", "There is no connection to the server. Try again."],
    ["change", "internal", "This did not work. Try again."],
    ["change", "codesUnreadable", expect.stringMatching(/^This server can’t check the codes of an authenticator app just now/)],
    ["change", "accountBlocked", "The operator of this server has blocked this account."],
  ]);
  next = "conflict";
  await button("Make new codes").click();
  await expect.element(alert).toHaveTextContent("This was changed elsewhere meanwhile, or took too long. This is how it is now.");
  await expect.element(text("On since 4 March 2026")).toBeVisible();
});

test("says why the second factor can't be turned on, and asks whoever has no password to confirm at a provider", async () => {
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
    "Confirm first that it is you.",
    "Too many attempts. Try again later, or use a recovery code if you have one.",
    "This did not work. Try again.",
  ]) {
    await button("Continue").click();
    await expect.element(alert.getByText(shown, { exact: true })).toBeVisible();
  }
  expect(sent).toEqual([{ password: "" }, { password: "" }, { password: "" }]);
});

test("loads the second factor again when it could not be loaded, and shows none where the server has none", async () => {
  const held = holdAnswer();
  answer({ [`GET ${path}`]: refusal(500, "internal") });
  await openPage("/settings/security");
  await expect.element(alert.getByText("It could not be loaded whether two-step sign-in is on.")).toBeVisible();
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

test("opens the admin pages to an administrator right after the second factor is on", async () => {
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
  // What this browser knows of the person is of before.
  answer({ "GET /users/me": profile });
  await button("I have kept them").click();
  await openPage("/admin/models", { as: "superuser", profile: { ...profile, lacksSecondFactor: true } });
  expect(location.pathname).toBe("/admin/models");
});
