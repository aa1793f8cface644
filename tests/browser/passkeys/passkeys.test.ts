import type { Page } from "playwright";
import { test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { screenshots } from "#tests/browser/harness-screenshots.ts";

const shared = sharedParlance();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** A phone with passkeys whose owner confirms every request at once. */
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
    /** Sets whether the owner holds the phone. */
    isOwner: (isUserVerified: boolean) => devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    remove: () => devtools.send("WebAuthn.disable"),
  };
}

test("adds a passkey in the settings, signs in with the passkey alone, and removes it", { tags: "quick" }, async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  const person = await openSignedIn(page, shared.server, "/settings#passkeys");
  const phone = await openPhone(page);
  const card = page.getByRole("region", { name: "Passkeys", exact: true });
  await button(page, "Add a passkey…").click();
  const name = card.getByRole("textbox", { name: "Name", exact: true });
  const password = card.getByLabel("Current password");
  await name.fill("My phone");
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "passkeys-add", { fullPage: true });
  await password.fill(person.password);
  await password.press("Enter");
  await page.getByRole("status").getByText("Passkey added.").waitFor();
  await card.getByText("not used yet").waitFor();
  await screenshots(page, "passkeys", { fullPage: true });

  const signOut = async () => {
    await page.evaluate(() => localStorage.clear());
    await page.context().clearCookies();
    await page.goto(shared.at("/signin"));
  };
  // Turns off the field's own request, which the phone would answer before the test presses the button.
  await page.addInitScript(() => {
    if (sessionStorage.getItem("autofill") === "off") PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await page.evaluate(() => sessionStorage.setItem("autofill", "off"));
  await signOut();
  const signIn = button(page, "Sign in with a passkey");
  await signIn.waitFor();
  // This server offers no provider for sign-in.
  await expect(page.getByText("or", { exact: true })).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "passkeys-sign-in");
  // Another person holds the phone.
  await phone.isOwner(false);
  await signIn.click();
  await page.getByRole("alert").getByText("No passkey was chosen").waitFor();
  await phone.isOwner(true);
  await signIn.click();
  const dashboard = page.getByRole("heading", { name: "Dashboard", level: 1 });
  await dashboard.waitFor();

  // The address field offers the passkey, too, and this phone accepts at once.
  await page.evaluate(() => sessionStorage.removeItem("autofill"));
  await signOut();
  await dashboard.waitFor();

  await page.goto(shared.at("/settings#passkeys"));
  await card.getByText(/^last used /).waitFor();
  await expect(page.getByText(/, with a passkey$/)).toHaveCount(2);
  await button(page, "Remove My phone").click();
  await password.fill(person.password);
  await password.press("Enter");
  await card.getByRole("heading", { name: "No passkeys yet" }).waitFor();
  await phone.remove();
});
