import { expect, test } from "vitest";
import type { PersonalToken } from "#contract/index.ts";
import { ada, answer, holdAnswer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { optionsOf, textsOf } from "#tests/components/harness-texts.ts";

// Access tokens in the settings: made, shown once, listed, revoked.

const path = "/users/me/tokens";
const card = page.getByRole("region", { name: "Access tokens", exact: true });
const button = (name: string) => card.getByRole("button", { name, exact: true });
const heading = (name: string) => card.getByRole("heading", { name, exact: true });
const form = card.getByRole("form", { name: "New access token" });
const name = form.getByLabelText("Name");
const password = form.getByLabelText("Current password", { exact: true });
const alert = card.getByRole("alert");
const dialog = page.getByRole("dialog");
const rows = () => textsOf(card.getByRole("listitem"));
const scope = (words: string) => form.getByRole("checkbox", { name: words });
const token = (id: string, more: Partial<PersonalToken> = {}): PersonalToken => ({
  ...{ id, name: id, scopes: ["account:read"], createdAt: "2026-01-01T00:00:00.000Z" },
  ...{ expiresAt: "2100-01-01T12:00:00.000Z", lastUsedAt: null },
  ...more,
});

test("creates a token with the ticked scopes, shows it once, and says why a creation failed", async () => {
  const sent: unknown[] = [];
  const held = holdAnswer();
  const secret = `parlance_import_${"x".repeat(43)}`;
  let known: PersonalToken[] = [];
  let code = "";
  answer({
    [`GET ${path}`]: () => ({ tokens: known }),
    [`POST ${path}`]: async ({ request }) => {
      sent.push(await request.json());
      return code === "" ? held.answer() : refusal(400, code);
    },
  });
  await openPage("/settings/developer");
  await expect.element(heading("You have no access tokens.")).toBeVisible();
  await expect
    .element(
      card.getByText(
        /^Tokens can’t change how you sign in, create tokens, pay, open the vault, delete permanently, or administer the server/,
      ),
    )
    .toBeVisible();
  await expect.element(card.getByRole("link", { name: "API reference" })).toHaveAttribute("href", "/api");
  await button("New token…").click();
  await expect.element(name).toHaveFocus();
  await expect.element(button("New token…")).not.toBeInTheDocument();
  expect(optionsOf("Expires after")).toEqual(["7 days", "30 days", "90 days", "365 days"]);
  await expect.element(form.getByLabelText("Expires after")).toHaveValue("30");
  const scopes = form
    .getByRole("checkbox")
    .elements()
    .map((box) => box.getAttribute("value"));
  expect(scopes).toEqual(["transcriptions:read", "transcriptions:write", "translations", "vocabulary", "account:read"]);
  await userEvent.keyboard("{Escape}");
  await expect.element(button("New token…")).toHaveFocus();
  await button("New token…").click();
  await button("Create token").click();
  await expect.element(name).toHaveAccessibleDescription(/Enter a name\./);
  await expect.element(alert).not.toBeInTheDocument();
  await name.fill("Nightly import");
  await button("Create token").click();
  await expect.element(alert).toHaveTextContent("Choose at least one permission.");
  expect(sent).toEqual([]);
  await scope("Upload recordings, correct transcripts, move them to the trash").click();
  await scope("Read your profile and usage").click();
  await form.getByLabelText("Expires after").selectOptions("7 days");
  await password.fill("correct horse");
  for (const [refused, text] of [
    ["wrongPassword", "Wrong password."],
    ["freshSignInRequired", "Please confirm that it’s you."],
    ["tooManyAtOnce", "You have reached the limit of tokens. Revoke one first."],
    ["tooManyRequests", "Too many attempts. Wait a moment."],
    ["internal", "That didn’t work. Nothing was changed."],
  ] as const) {
    code = refused;
    await button("Create token").click();
    await expect.element(alert).toHaveTextContent(text);
  }
  code = "";
  await button("Create token").click();
  await expect.element(button("Create token")).toHaveAttribute("aria-busy", "true");
  known = [token("import", { name: "Nightly import" })];
  held.give({ ...known[0], token: secret });
  await expect.element(heading("Your token for Nightly import")).toHaveFocus();
  await expect.element(card.getByText(/^Copy it now\./)).toBeVisible();
  await expect.element(card.getByTestId("new-token")).toHaveTextContent(secret);
  await expect.element(form).not.toBeInTheDocument();
  await expect.element(button("New token…")).not.toBeInTheDocument();
  expect(rows()).toHaveLength(1);
  await button("Done").click();
  await expect.element(button("New token…")).toHaveFocus();
  expect(document.documentElement.outerHTML).not.toContain(secret);
  expect(sent.at(-1)).toEqual({
    ...{ name: "Nightly import", scopes: ["transcriptions:write", "account:read"] },
    ...{ days: 7, password: "correct horse" },
  });
});

test("lists each token's scopes and expiry, and revokes a token after confirmation", async () => {
  const revoked: string[] = [];
  const held = holdAnswer();
  answer({
    [`GET ${path}`]: {
      tokens: [
        token("one/1", { name: "Import", scopes: ["transcriptions:read", "transcriptions:write", "vocabulary"] }),
        token("two", { expiresAt: "2026-02-01T12:00:00.000Z", lastUsedAt: "2026-01-04T11:00:00.000Z", scopes: ["translations"] }),
      ],
    },
    [`DELETE ${path}/:id`]: ({ params }) => {
      revoked.push(String(params.id));
      return revoked.length === 1 ? held.answer() : refusal(404, "notFound");
    },
  });
  await openPage("/settings/developer");
  await expect.element(heading("Your access tokens")).toBeVisible();
  expect(rows()[0]).toMatch(
    /^Import parlance_one\/1_… Read transcripts and recordings, and follow their progress · Upload recordings, correct transcripts, move them to the trash · Read and change your custom vocabulary Expires: 1 January 2100 ?Never used Revoke$/,
  );
  expect(rows()[1]).toMatch(
    /^two parlance_two_… Translate texts and read them aloud Expired: 1 February 2026 ?Last used: 4 Jan 2026, 12:00 Revoke$/,
  );
  await button("Revoke Import").click();
  await expect.element(dialog.getByText(/^Programs that use this token lose access immediately\./)).toBeVisible();
  await dialog.getByRole("button", { name: "Keep" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await button("Revoke Import").click();
  await expect.element(page.getByRole("dialog", { name: "Revoke Import?" })).toBeVisible();
  await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect.element(button("Revoke Import")).toHaveAttribute("aria-busy", "true");
  await expect.element(button("Revoke two")).not.toHaveAttribute("aria-busy", "true");
  held.give(new Response(null, { status: 204 }));
  await expect.element(page.getByRole("status").getByText("Token revoked.")).toBeVisible();
  await expect.element(heading("Your access tokens")).toHaveFocus();
  expect(rows()).toHaveLength(1);
  answer({ [`GET ${path}`]: { tokens: [] } });
  await button("Revoke two").click();
  await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect.element(alert).toHaveTextContent("This token was already revoked.");
  await expect.element(heading("You have no access tokens.")).toBeVisible();
  expect(revoked).toEqual(["one/1", "two"]);
});

test("asks a user without a password to confirm at a provider, and retries loading the tokens", async () => {
  const bob = { id: "bob", hasPassword: false } as const;
  const held = holdAnswer();
  answer({ "GET /users/me": { ...ada, ...bob }, [`GET ${path}`]: refusal(500, "internal") });
  await openPage("/settings/developer", { profile: bob });
  await expect.element(alert.getByText("Couldn’t load your access tokens.")).toBeVisible();
  await expect.element(button("New token…")).not.toBeInTheDocument();
  answer({ [`GET ${path}`]: held.answer });
  await button("Try again").click();
  await expect.element(card.getByRole("status").getByText("Loading…")).toBeVisible();
  held.give({ tokens: [token("one")] });
  await button("New token…").click();
  await expect.element(form.getByText("You have no password here yet.")).toBeVisible();
  await expect.element(password).not.toBeInTheDocument();
});
