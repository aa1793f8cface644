import { expect, test } from "vitest";
import { ada, answer, holdAnswer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { passkey } from "#tests/machines/passkeys/passkeys.ts";
import { base64, offerHere, playDevice } from "./device.ts";

// Passkeys in the settings: adding, renaming and removing them.

const path = "/users/me/passkeys";
const card = page.getByRole("region", { name: "Passkeys", exact: true });
const button = (name: string) => card.getByRole("button", { name, exact: true });
const name = card.getByLabelText("Name", { exact: true });
const password = card.getByLabelText("Current password", { exact: true });
const alert = card.getByRole("alert");
const rows = () => textsOf(card.getByRole("listitem"));
const done = (text: string) => expect.element(page.getByRole("status").getByText(text, { exact: true })).toBeVisible();
const enter = () => userEvent.keyboard("{Enter}");
const phone = { id: "phone", device: null, createdAt: "2026-01-01T00:00:00.000Z", seenAt: null, current: false };
const sessions = page.getByRole("region", { name: "Where you’re signed in" }).getByRole("listitem");

test("adds a passkey with a name and the password, and ends all other sessions", async () => {
  const sent: unknown[] = [];
  const kept = holdAnswer();
  let known = [passkey("old")];
  let device: PromiseWithResolvers<string> | undefined;
  const asked = playDevice("create", () => {
    device = Promise.withResolvers();
    return device.promise;
  });
  answer({
    [`GET ${path}`]: () => ({ passkeys: known }),
    "GET /users/me/sessions": { sessions: [{ ...phone, id: "this", current: true }, phone] },
    [`POST ${path}/challenge`]: async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1 ? refusal(403, "wrongPassword") : offerHere;
    },
    [`POST ${path}`]: async ({ request }) => {
      sent.push(await request.json());
      return kept.answer();
    },
  });
  await openPage("/settings/security");
  await expect.poll(() => sessions.elements().length).toBe(2);
  await button("Add a passkey…").click();
  await expect.element(name).toHaveFocus();
  await expect.element(button("Add a passkey…")).not.toBeInTheDocument();
  await enter();
  await expect.element(name).toHaveAccessibleDescription(/Enter a name\./);
  await expect.element(alert).not.toBeInTheDocument();
  await name.fill(" My phone ");
  await password.fill("wrong");
  await enter();
  await expect.element(alert).toHaveTextContent("Wrong password.");
  await expect.element(name).toHaveAccessibleDescription("A name that helps you recognize it, such as the name of your device.");
  await password.fill("correct horse");
  await enter();
  await expect.element(card.getByRole("status").getByText("Follow your device’s prompt.")).toBeVisible();
  await expect.poll(() => asked.length).toBe(1);
  expect(asked[0]?.publicKey).toMatchObject({
    rp: { id: location.hostname },
    authenticatorSelection: { requireResidentKey: true },
  });
  // A second press sends nothing while the device asks, and the user can cancel.
  await enter();
  await button("Cancel").click();
  expect(asked[0]?.signal?.aborted).toBe(true);
  device?.resolve("AbortError");
  await expect.element(button("Add a passkey…")).toHaveFocus();
  expect(sent).toHaveLength(2);
  await button("Add a passkey…").click();
  await name.fill("My phone");
  await password.fill("correct horse");
  await enter();
  await expect.poll(() => asked.length).toBe(2);
  device?.resolve("");
  await expect.element(button("Continue")).toHaveAttribute("aria-busy", "true");
  kept.give(Response.error());
  const unkept = "Your passkey was created, but there is no connection to the server. Try again within five minutes.";
  await expect.element(alert).toHaveTextContent(unkept);
  await expect.element(password).not.toBeInTheDocument();
  known = [passkey("old"), passkey("My phone")];
  kept.give(passkey("My phone"));
  await button("Try again").click();
  await done("Passkey added. All other devices are signed out.");
  await expect.element(button("Add a passkey…")).toHaveFocus();
  await expect.poll(() => sessions.elements().length).toBe(1);
  expect(rows()).toEqual([expect.stringMatching(/^old/), expect.stringMatching(/^My phone/)]);
  const made = {
    ...{ id: base64("key"), rawId: base64("key"), type: "public-key" },
    response: { clientDataJSON: base64("client"), attestationObject: base64("attested"), transports: ["internal"] },
  };
  expect(sent.slice(-2)).toEqual([
    { name: "My phone", made },
    { name: "My phone", made },
  ]);
  expect(asked).toHaveLength(2);
});

test("says why the device made no passkey, and why the server refused one", async () => {
  let refused = "";
  let code = "";
  playDevice("create", () => refused);
  answer({
    [`POST ${path}/challenge`]: () =>
      code === "elsewhere" ? { ...offerHere, rp: { id: "other.example", name: "" } } : offerHere,
    [`POST ${path}`]: () => refusal(400, code),
  });
  await openPage("/settings/security");
  await button("Add a passkey…").click();
  await name.fill("My phone");
  await password.fill("correct horse");
  for (const [error, answered, text] of [
    ["NotAllowedError", "", "No passkey was chosen, or it took too long. Try again, or sign in another way."],
    ["InvalidStateError", "", "This device already has a passkey for your account."],
    ["SecurityError", "elsewhere", "Passkeys don’t work at this address."],
    ["ConstraintError", "", "This device can’t create such a passkey"],
    ["UnknownError", "", "No passkey was chosen, or it took too long."],
    ["NotSupportedError", "", "This device can’t create such a passkey"],
    ["", "passkeyExpired", "This took longer than five minutes, or was tried before. Start again."],
    ["", "passkeyRefused", "This passkey couldn’t be verified: it belongs to another address or another account"],
    ["", "conflict", "This passkey is already registered here."],
    ["", "tooManyAtOnce", "You have reached the limit of twenty passkeys. Remove one first."],
    ["", "tooManyRequests", "Too many attempts. Wait a moment."],
    ["", "freshSignInRequired", "Please confirm that it’s you."],
    ["", "badRequest", "That didn’t work. Try again."],
  ] as const) {
    refused = error;
    code = answered;
    await button("Continue").click();
    await expect.element(alert.getByText(text)).toBeVisible();
  }
});

test("lists passkeys, renames one, and removes it with the password", async () => {
  const sent: unknown[] = [];
  const seven = { ...passkey("seven/7"), name: "Seven", lastUsedAt: "2026-03-04T11:00:00.000Z", synced: false };
  let known = [seven, passkey("other")];
  answer({
    [`GET ${path}`]: () => ({ passkeys: known }),
    [`PATCH ${path}/:id`]: async ({ params, request }) => {
      sent.push([params.id, await request.json()]);
      known = [{ ...seven, name: "Eight" }, passkey("other")];
      return new Response(null, { status: 204 });
    },
    [`DELETE ${path}/:id`]: async ({ params, request }) => {
      sent.push([params.id, await request.json()]);
      if (sent.length === 2) return refusal(403, "wrongPassword");
      if (sent.length === 4) return refusal(404, "notFound");
      known = sent.length === 3 ? [passkey("other")] : [];
      return new Response(null, { status: 204 });
    },
  });
  await openPage("/settings/security");
  await expect.element(card.getByRole("heading", { name: "Your passkeys" })).toBeVisible();
  expect(rows()).toEqual([
    expect.stringMatching(/^Seven added 1 March 2026 ?last used 4 Mar 2026, 12:00 Rename… Remove…$/),
    expect.stringMatching(/^other added 1 March 2026 ?not used yet ?on several devices Rename… Remove…$/),
  ]);
  await button("Rename Seven").click();
  await expect.element(name).toHaveValue("Seven");
  await expect.element(card.getByRole("heading", { name: "Rename Seven" })).toBeVisible();
  await expect.element(password).not.toBeInTheDocument();
  await name.fill("");
  await enter();
  await expect.element(name).toHaveAccessibleDescription(/Enter a name\./);
  await userEvent.keyboard("{Escape}");
  await expect.element(button("Rename Seven")).toHaveFocus();
  await button("Rename Seven").click();
  await name.fill("Eight");
  await enter();
  await done("Name saved.");
  await expect.element(button("Rename Eight")).toHaveFocus();
  await button("Remove Eight").click();
  await expect
    .element(card.getByText(/^You can no longer sign in with it, and all other devices will be signed out/))
    .toBeVisible();
  await expect.element(name).not.toBeInTheDocument();
  await password.fill("wrong");
  await enter();
  await expect.element(alert).toHaveTextContent("Wrong password.");
  await password.fill("correct horse");
  await card.getByRole("button", { name: "Remove", exact: true }).click();
  await done("Passkey removed. All other devices are signed out.");
  await expect.element(card.getByRole("heading", { name: "Your passkeys" })).toHaveFocus();
  expect(rows()).toHaveLength(1);
  // Another session has removed the passkey meanwhile.
  await button("Remove other").click();
  await password.fill("correct horse");
  known = [];
  await enter();
  await expect.element(alert).toHaveTextContent("This passkey was removed elsewhere.");
  await expect.element(card.getByRole("heading", { name: "No passkeys yet" })).toBeVisible();
  expect(sent).toEqual([
    ["seven/7", { name: "Eight" }],
    ["seven/7", { password: "wrong" }],
    ["seven/7", { password: "correct horse" }],
    ["other", { password: "correct horse" }],
  ]);
});

test("asks a user without a password to confirm at a provider, and retries loading the passkeys", async () => {
  const bob = { id: "bob", hasPassword: false } as const;
  const held = holdAnswer();
  answer({ "GET /users/me": { ...ada, ...bob }, [`GET ${path}`]: refusal(500, "internal") });
  await openPage("/settings/security", { profile: bob });
  await expect.element(alert.getByText("Couldn’t load your passkeys.")).toBeVisible();
  answer({ [`GET ${path}`]: held.answer });
  await button("Try again").click();
  await expect.element(card.getByText("Loading your passkeys…")).toBeVisible();
  await expect.element(button("Add a passkey…")).not.toBeInTheDocument();
  held.give({ passkeys: [passkey("one")] });
  await button("Remove one").click();
  await expect.element(password).not.toBeInTheDocument();
  await expect.element(card.getByText("You have no password here yet.")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await button("Add a passkey…").click();
  await expect.element(password).not.toBeInTheDocument();
  await expect.element(card.getByText("You have no password here yet.")).toBeVisible();
  await openPage("/feedback");
  answer({ [`GET ${path}`]: refusal(404, "notOffered") });
  await openPage("/settings/security");
  await expect.element(page.getByRole("region", { name: "Two-step sign-in" })).toBeVisible();
  await expect.element(card).not.toBeInTheDocument();
});
