import { expect, test } from "vitest";
import { i18n } from "#src/i18n/index.ts";
import { answer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";

const submit = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true }).click();
const alert = page.getByRole("alert");

test("shows and hides the typed password without sending the form", async () => {
  await openPage("/signin", { as: "visitor" });
  const password = page.getByLabelText("Password");
  await password.fill("correct horse");
  const show = page.getByRole("button", { name: "Show typed text" });
  await expect.element(show).toHaveAttribute("aria-pressed", "false");
  show.element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(password).toHaveAttribute("type", "text");
  await expect.element(password).toHaveValue("correct horse");
  await expect.element(show).toHaveAttribute("aria-pressed", "true");
  await show.click();
  await expect.element(password).toHaveAttribute("type", "password");
  expect(location.pathname).toBe("/signin");
});

test("says in the page's language when to try again after too many attempts", async () => {
  answer({ "POST /auth/login": refusal(429, "tooManyRequests", { "Retry-After": "900" }) });
  await openPage("/signin", { as: "visitor" });
  await i18n.changeLanguage("de");
  await page.getByLabelText("E-Mail").fill("ada@example.org");
  await page.getByLabelText("Passwort", { exact: true }).fill("not the right one");
  await submit("Anmelden");
  await expect.poll(() => alert.element().textContent).toBe("Zu viele Versuche. Es geht in 15 Minuten wieder.");
  await i18n.changeLanguage("en");
});

test("offers another confirmation mail when an unconfirmed user signs in", async () => {
  answer({ "POST /auth/login": refusal(403, "emailUnconfirmed") });
  await openPage("/signin", { as: "visitor" });
  await page.getByLabelText("E-mail").fill("ada@example.org");
  await page.getByLabelText("Password").fill("correct horse");
  await submit("Sign in");
  await expect.element(alert.filter({ hasText: "Please check your email to verify your account." })).toBeVisible();
  await page.getByRole("link", { name: "Didn’t get an e-mail?" }).click();
  await expect.poll(() => location.pathname).toBe("/email-confirmation");
});

test("shows the strength of a new password in words and steps while the user types", async () => {
  await openPage("/signup", { as: "visitor" });
  await page.getByLabelText("E-mail").fill("ada@example.org");
  const strength = () => {
    const drawn = document.querySelectorAll("[data-strength] [aria-hidden] > [class*=reached]").length;
    return [drawn, document.querySelector("[data-strength] [role=status]")?.textContent];
  };
  const words = ["Very weak", "Weak", "Fair", "Strong", "Very strong"];
  const seen: unknown[] = [];
  for (const typed of [
    "password",
    "ada@example.org",
    "sunflower7",
    "dublin tree 7",
    "tunnel elephant 41",
    "correct tunnel elephant sky",
  ]) {
    await page.getByLabelText("Password").fill(typed);
    await expect.poll(() => words.includes(String(strength()[1]))).toBe(true);
    const [drawn, word] = strength();
    expect(word).toBe(words[Number(drawn)]);
    seen.push(word);
  }
  expect([seen[0], seen[1], seen.at(-1)]).toEqual(["Very weak", "Very weak", "Very strong"]);
  await page.getByLabelText("Password").fill("");
  await expect.poll(() => document.querySelector("[data-strength]")).toBeNull();
});

test("shows the price of the chosen plan on the sign-up page, and sends the form with the language", async () => {
  const sent: unknown[] = [];
  answer({
    "POST /auth/register": async ({ request }) => {
      sent.push(await request.json());
      return { message: "Look into your mail." };
    },
  });
  await openPage("/signup?plan=premium&interval=month", { as: "visitor" });
  await expect.element(page.getByText("€12")).toBeVisible();
  for (const name of ["Terms", "Privacy"]) {
    const link = page.getByRole("main").getByRole("link", { name });
    await expect.element(link).toHaveAttribute("target", "_blank");
  }
  await page.getByLabelText("E-mail").fill("ada@example.org");
  await page.getByLabelText("Password").fill("correct tunnel");
  await submit("Create account");
  const status = page.getByRole("status").filter({ hasText: "Please check your email to verify your account." });
  await expect.element(status).toBeVisible();
  expect(sent).toEqual([{ email: "ada@example.org", name: "", password: "correct tunnel", language: "en" }]);
});
