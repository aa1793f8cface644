import { expect, test } from "vitest";
import { answer, openPage, page, refusal } from "#tests/components/harness.ts";

const message = page.getByLabelText("Your message");
const id = expect.stringMatching(/^[\da-f-]{36}$/);

/** Answers a call and records the bodies it receives. */
function keep(path: string): Record<string, unknown>[] {
  const sent: Record<string, unknown>[] = [];
  answer({
    [`POST ${path}`]: async ({ request }) => {
      sent.push(await request.json());
      return { message: "OK" };
    },
  });
  return sent;
}

test("keeps feedback until the server has it, and retries with the same id", async () => {
  const refused: unknown[] = [];
  answer({
    "POST /feedback": async ({ request }) => {
      refused.push(await request.json());
      return refusal(500, "internal");
    },
  });
  await openPage("/feedback");
  const send = page.getByRole("button", { name: "Send feedback" });
  await send.click();
  await expect.element(page.getByText("Enter a message.")).toBeVisible();
  await expect.element(message).toHaveFocus();
  await page.getByRole("radio", { name: "4" }).click();
  await message.fill("The captions are fast.");
  await openPage("/settings");
  await openPage("/feedback");
  await expect.element(message).toHaveValue("The captions are fast.");
  await expect.element(page.getByRole("radio", { name: "4" })).toBeChecked();
  await send.click();
  await expect.element(page.getByRole("alert")).toBeVisible();
  const sent = keep("/feedback");
  await send.click();
  await expect.element(page.getByText("Thank you for your feedback!")).toBeVisible();
  expect(sent).toEqual([{ text: "The captions are fast.", rating: 4, language: "en", clientId: id }]);
  expect(sent).toEqual(refused);
  await openPage("/settings");
  await openPage("/feedback");
  await expect.element(message).toHaveValue("");
});

test("sends feedback without a rating", async () => {
  const sent = keep("/feedback");
  await openPage("/feedback");
  await message.fill("Fine.");
  await page.getByRole("button", { name: "Send feedback" }).click();
  await expect.element(page.getByText("Thank you for your feedback!")).toBeVisible();
  expect(sent).toEqual([{ text: "Fine.", language: "en", clientId: id }]);
  await expect.element(page.getByRole("main").getByRole("link", { name: "Dashboard" })).toBeVisible();
});

test("accepts a visitor's message only with a valid address", async () => {
  const sent = keep("/contact");
  await openPage("/contact", { as: "visitor" });
  await page.getByLabelText("E-mail").fill("ada");
  await page.getByLabelText("Name").fill("a".repeat(101));
  await message.fill("Hello");
  const send = page.getByRole("button", { name: "Send message" });
  await send.click();
  await expect.element(page.getByText("Enter an e-mail address such as name@example.com.")).toBeVisible();
  await expect.element(page.getByText("Use at most 100 characters.")).toBeVisible();
  await page.getByLabelText("E-mail").fill("ada@example.org");
  await page.getByLabelText("Name").fill("Ada");
  await send.click();
  await expect.element(page.getByText("Your message was sent")).toBeVisible();
  expect(sent).toEqual([{ name: "Ada", email: "ada@example.org", text: "Hello", language: "en", clientId: id }]);
  await expect.element(page.getByRole("link", { name: "Go to the start page" })).toBeVisible();
});

// SPEC 2 Public routes: "/waitlist | Waitlist"
test("adds an address to the waitlist", async () => {
  const sent = keep("/waitlist");
  await openPage("/waitlist", { as: "visitor" });
  await page.getByLabelText("E-mail").fill("ada@example.org");
  await page.getByRole("button", { name: "Join the waitlist" }).click();
  await expect.element(page.getByText("You’re on the waitlist.")).toBeVisible();
  expect(sent).toMatchObject([{ email: "ada@example.org" }]);
});
