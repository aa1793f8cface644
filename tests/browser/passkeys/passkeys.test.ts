import type { Page } from "playwright-core";
import { test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { screenshots } from "#tests/browser/harness-screenshots.ts";

const shared = sharedParlance();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** A phone that keeps passkeys. Its owner answers at once whatever it asks: finger, face or PIN. */
async function openPhone(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Somebody else holds it. */
    isOwner: (isUserVerified: boolean) => devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    remove: () => devtools.send("WebAuthn.disable"),
  };
}

test("a passkey is added in the settings, renamed, signs in alone, and is removed", { tags: "quick" }, async () => {
  await using visit = await openPage(shared.browser, { expected: [/403/] });
  const { page } = visit;
  const person = await openSignedIn(page, shared.server, "/settings#passkeys");
  const phone = await openPhone(page);
  const card = page.getByRole("region", { name: "Passkeys", exact: true });
  await button(page, "Add a passkey…").click();
  const name = card.getByRole("textbox", { name: "Name", exact: true });
  await expect(name).toBeFocused();
  const password = card.getByLabel("Your present password");
  await password.fill("wrong horse");
  await button(page, "Continue").click();
  await expect(name).toHaveAccessibleDescription(/Type a name\./);
  await name.fill("My phone");
  await name.press("Enter");
  await card.getByRole("alert").getByText("The password is wrong.").waitFor();
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "passkeys-add", { fullPage: true });
  // Somebody else holds the phone.
  await phone.isOwner(false);
  await password.fill(person.password);
  await password.press("Enter");
  await card.getByRole("alert").getByText("No passkey was chosen").waitFor();
  await phone.isOwner(true);
  await password.press("Enter");
  await page.getByRole("status").getByText("The passkey was added.").waitFor();
  await expect(button(page, "Add a passkey…")).toBeFocused();
  await card.getByText("not used yet").waitFor();

  await button(page, "Rename My phone").click();
  await expect(name).toHaveValue("My phone");
  await name.fill("Blue phone");
  await name.press("Enter");
  await expect(button(page, "Rename Blue phone")).toBeFocused();
  await screenshots(page, "passkeys", { fullPage: true });

  const signOut = async () => {
    await page.evaluate(() => localStorage.clear());
    await page.context().clearCookies();
    await page.goto(shared.at("/signin"));
  };
  // The field's own request would be answered before anybody presses the button.
  await page.addInitScript(() => {
    if (sessionStorage.getItem("autofill") === "off") PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await page.evaluate(() => sessionStorage.setItem("autofill", "off"));
  await signOut();
  const signIn = button(page, "Sign in with a passkey");
  await signIn.waitFor();
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "passkeys-sign-in");
  await phone.isOwner(false);
  await signIn.click();
  await page.getByRole("alert").getByText("No passkey was chosen").waitFor();
  await phone.isOwner(true);
  await signIn.click();
  const dashboard = page.getByRole("heading", { name: "Dashboard", level: 1 });
  await dashboard.waitFor();

  // The browser offers it in the field, too: this phone takes it at once.
  await page.evaluate(() => sessionStorage.removeItem("autofill"));
  await signOut();
  await dashboard.waitFor();

  await page.goto(shared.at("/settings#passkeys"));
  await card.getByText(/^last used /).waitFor();
  await expect(page.getByText(/, with a passkey$/)).toHaveCount(2);
  await button(page, "Remove Blue phone").click();
  await expect(password).toBeFocused();
  await password.fill(person.password);
  await password.press("Enter");
  await expect(card.getByRole("heading", { name: "No passkey yet" })).toBeFocused();
  await phone.remove();
});
