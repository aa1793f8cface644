import { expect, test } from "vitest";
import { ada, answer, holdAnswer, openPage, page, refusal, usage, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { makeToken } from "#tests/fixtures/token.ts";

// The page that asks for the code after the password.

const path = "/auth/second-factor";
const button = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true });
const code = page.getByLabelText("Code", { exact: true });
const recovery = page.getByLabelText("Recovery code", { exact: true });
const alert = page.getByRole("main").getByRole("alert");
const heading = (name: string) => expect.element(page.getByRole("heading", { name, level: 1 })).toBeVisible();
const enter = () => userEvent.keyboard("{Enter}");
const isAt = (where: string) => expect.poll(() => location.pathname).toBe(where);
const token = () => {
  const seconds = Math.floor(Date.now() / 1000);
  return makeToken({ sub: "ada", iat: seconds, exp: seconds + 900 });
};

test("asks for a code after the password, and signs in with a recovery code instead", async () => {
  const sent: unknown[] = [];
  const held = holdAnswer();
  answer({
    "GET /api/v1/usage": usage,
    "POST /auth/login": refusal(403, "secondFactorRequired"),
    [`GET ${path}`]: { email: "ada@example.org" },
    [`POST ${path}`]: async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1 ? refusal(422, "wrongCode") : held.answer();
    },
  });
  await openPage("/signin", { as: "visitor" });
  localStorage.setItem("redirectTo", "/feedback");
  await page.getByLabelText("E-mail").fill("ada@example.org");
  await page.getByLabelText("Password", { exact: true }).fill("correct horse");
  await enter();
  await isAt("/second-step");
  await heading("One more step");
  expect(localStorage.getItem("jwtToken")).toBeNull();
  await expect.element(page.getByText("Enter the code that your authenticator app shows for ada@example.org.")).toBeVisible();
  await expect.element(code).toHaveFocus();
  await enter();
  await expect.element(code).toHaveAccessibleDescription(/Enter the code\./);
  expect(sent).toEqual([]);
  await code.fill("000 000");
  await enter();
  await expect.element(code).toHaveAccessibleDescription(/Check that the clock/);
  await expect.element(code).toHaveValue("000 000");
  await button("Use a recovery code").click();
  await expect.element(recovery).toHaveFocus();
  await expect.element(recovery).toHaveValue("");
  await expect
    .element(recovery)
    .toHaveAccessibleDescription("One of the codes you saved when you turned this on. Each works once.");
  await expect.element(page.getByText("Enter a recovery code for ada@example.org.")).toBeVisible();
  await button("Use the authenticator app").click();
  await expect.element(code).toHaveFocus();
  await button("Use a recovery code").click();
  await recovery.fill("abcd-efgh");
  await button("Sign in").click();
  await expect.element(button("Sign in")).toHaveAttribute("aria-busy", "true");
  await expect.poll(() => textsOf(page.getByRole("status"))).toContain("Loading…");
  const accessToken = token();
  held.give({ accessToken, user: ada });
  await isAt("/feedback");
  await expect.element(page.getByRole("status").getByText("You are signed in.")).toBeVisible();
  expect(localStorage.getItem("jwtToken")).toBe(accessToken);
  expect(sent).toEqual([{ code: "000 000" }, { code: "abcd-efgh" }]);
});

test("restarts the sign-in when none is pending, or after too many wrong codes", async () => {
  answer({ [`GET ${path}`]: refusal(410, "gone") });
  await openPage("/second-step", { as: "visitor" });
  await heading("Start the sign-in again");
  await expect.element(alert.getByText(/^This sign-in is no longer waiting for a code/)).toBeVisible();
  await alert.getByRole("link", { name: "Back to sign-in" }).click();
  await isAt("/signin");
  answer({ [`GET ${path}`]: { email: "ada@example.org" }, [`POST ${path}`]: refusal(410, "gone") });
  await openPage("/second-step", { as: "visitor" });
  await code.fill("123456");
  await enter();
  await heading("Start the sign-in again");
});

test("retries loading the pending sign-in, and says why a code could not be checked", async () => {
  const held = holdAnswer();
  answer({ [`GET ${path}`]: refusal(500, "internal") });
  await openPage("/second-step", { as: "visitor" });
  await heading("Couldn’t continue the sign-in");
  await expect.element(alert.getByText("No connection to the server. Try again.")).toBeVisible();
  answer({ [`GET ${path}`]: held.answer });
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByText("Authenticating...").first()).toBeVisible();
  held.give({ email: "ada@example.org" });
  await code.fill("123456");
  for (const [refused, shown] of [
    ["tooManyRequests", "Too many attempts. Try again later, or use a recovery code if you have one."],
    ["accountBlocked", "The operator of this server has blocked your account."],
    ["codesUnreadable", "This server can’t check codes right now because its key for them is missing"],
    ["internal", "That didn’t work. Try again."],
  ] as const) {
    answer({ [`POST ${path}`]: refusal(400, refused) });
    await button("Sign in").click();
    await expect.element(alert.getByText(shown)).toBeVisible();
  }
  await expect.element(code).toHaveValue("123456");
  await page.getByRole("link", { name: "Back to sign-in" }).click();
  await isAt("/signin");
});
