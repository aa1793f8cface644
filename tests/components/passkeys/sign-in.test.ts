import { expect, test, vi } from "vitest";
import { ada, answer, holdAnswer, openPage, page, refusal, usage } from "#tests/components/harness.ts";
import { makeToken } from "#tests/fixtures/token.ts";
import { base64, offerInFields, playDevice } from "./device.ts";

// Sign-in with a passkey, by the button and by the address field.

const button = (name = "Sign in with a passkey") => page.getByRole("button", { name, exact: true });
const alert = page.getByRole("main").getByRole("alert");
const request = { rpId: location.hostname, challenge: base64("challenge"), timeout: 300_000, userVerification: "required" };
const isAt = (where: string) => expect.poll(() => location.pathname).toBe(where);
const signedIn = () => {
  const seconds = Math.floor(Date.now() / 1000);
  return { accessToken: makeToken({ sub: "ada", iat: seconds, exp: seconds + 900 }), user: ada };
};

test("signs in with a passkey by the button, and says why an attempt failed", async () => {
  const sent: unknown[] = [];
  const checked = holdAnswer();
  const forgotten: unknown[] = [];
  const forget = vi.spyOn(PublicKeyCredential, "signalUnknownCredential").mockImplementation(async (hint) => {
    forgotten.push(hint);
  });
  offerInFields(false);
  let refused = "NotAllowedError";
  let code = "";
  const asked = playDevice("get", () => refused);
  answer({
    "GET /api/v1/usage": usage,
    "POST /auth/passkey/challenge": request,
    "POST /auth/passkey": async ({ request }) => {
      sent.push(await request.json());
      return code === "" ? checked.answer() : refusal(403, code);
    },
  });
  await openPage("/signin", { as: "visitor" });
  localStorage.setItem("redirectTo", "/feedback");
  await button().click();
  await expect.element(alert.getByText("No passkey was chosen, or it took too long.")).toBeVisible();
  expect(asked[0]).not.toHaveProperty("mediation");
  refused = "";
  for (const [answered, text] of [
    ["passkeyUnknown", "This server doesn’t know this passkey: it was removed, or its account was deleted."],
    ["passkeyExpired", "This took longer than five minutes, or was tried before."],
    ["passkeyRefused", "This passkey couldn’t be verified: it belongs to another address or another account"],
    ["passkeyCopied", "This passkey may have been copied: its counter has gone backwards."],
    ["accountBlocked", "The operator of this server has blocked your account."],
    ["emailUnconfirmed", "Confirm your e-mail address first, with the link in the e-mail we sent you."],
    ["tooManyRequests", "Too many attempts. Wait a moment."],
    ["internal", "That didn’t work. Try again."],
  ] as const) {
    code = answered;
    await button().click();
    await expect.element(alert.getByText(text)).toBeVisible();
  }
  // The page reports the unknown passkey to the browser once.
  expect(forgotten).toEqual([{ rpId: location.hostname, credentialId: base64("key") }]);
  forget.mockRestore();
  code = "";
  await button().click();
  await expect.element(page.getByRole("status").getByText("Follow your device’s prompt.")).toBeVisible();
  await expect.element(button()).toHaveAttribute("aria-busy", "true");
  checked.give(signedIn());
  await isAt("/feedback");
  await expect.element(page.getByRole("status").getByText("You are signed in.")).toBeVisible();
  const response = {
    ...{ clientDataJSON: base64("client"), authenticatorData: base64("data") },
    ...{ signature: base64("signed"), userHandle: base64("ada") },
  };
  expect(sent.at(-1)).toEqual({ used: { id: base64("key"), rawId: base64("key"), type: "public-key", response } });
});

test("offers a passkey in the address field, and cancels the offer when the page is left", async () => {
  const choice = Promise.withResolvers<string>();
  offerInFields(true);
  const asked = playDevice("get", () => choice.promise);
  answer({ "GET /api/v1/usage": usage, "POST /auth/passkey/challenge": request, "POST /auth/passkey": signedIn() });
  await openPage("/signin", { as: "visitor" });
  await expect.poll(() => asked.length).toBe(1);
  expect(asked[0]).toMatchObject({ mediation: "conditional", publicKey: { rpId: location.hostname } });
  await expect.element(page.getByLabelText("E-mail")).toHaveAttribute("autocomplete", "username webauthn");
  await expect.element(button()).not.toHaveAttribute("aria-busy", "true");
  await openPage("/about", { as: "visitor" });
  await expect.poll(() => asked[0]?.signal?.aborted).toBe(true);
  await openPage("/signin", { as: "visitor" });
  await expect.poll(() => asked.length).toBe(2);
  localStorage.setItem("redirectTo", "/feedback");
  choice.resolve("");
  await isAt("/feedback");
});

test("offers a passkey instead of a code, and hides the offer when the server has no passkeys", async () => {
  const asked = playDevice("get", () => "NotAllowedError");
  answer({ "GET /auth/second-factor": { email: "ada@example.org" }, "POST /auth/passkey/challenge": request });
  await openPage("/second-step", { as: "visitor" });
  await button("Use a passkey instead").click();
  await expect.element(alert.getByText("No passkey was chosen, or it took too long.")).toBeVisible();
  // Only the button asks the device on this page, which has no address field.
  expect(asked).toHaveLength(1);
  answer({ "POST /auth/passkey/challenge": refusal(404, "notOffered") });
  await button("Use a passkey instead").click();
  await expect.element(button("Use a passkey instead")).not.toBeInTheDocument();
  await expect.element(alert).not.toBeInTheDocument();
});
