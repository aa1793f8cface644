import { beforeEach, describe, expect, test } from "vitest";
import { specifiedRoutes } from "#tests/browser/harness-routes.ts";
import { answer, openPage, page, userEvent } from "#tests/components/harness.ts";
import { otherServer } from "./other-server-answers.ts";

// The page against a server that knows only the calls of docs/spec.md, section 7: every route of section 2 for every
// kind of user. The page says what the server does not know, and does not offer it.

let calls: string[] = [];
beforeEach(() => {
  const server = otherServer();
  answer(server.answers);
  ({ calls } = server);
});

/** Opens a page and keeps the current user signed in. */
const open = (path: string) => openPage(path, { as: "visitor" });

async function fillIn(email: string, password: string): Promise<void> {
  await page.getByLabelText("E-mail").fill(email);
  await page.getByLabelText("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function signIn(email: string): Promise<void> {
  await open("/signin");
  await fillIn(email, "correct horse");
  await expect.poll(() => location.pathname).toBe("/dashboard");
}

/** The heading of each route on that server. */
const headings: Readonly<Record<string, string>> = {
  "/": "Every word, kept.",
  "/waitlist": "Waitlist",
  "/signin": "Welcome back",
  "/signup": "Create your account",
  "/forgot-password": "Forgot your password?",
  "/reset-password": "Choose a new password",
  "/auth/reset-password": "Choose a new password",
  "/terms": "Terms",
  "/privacy": "Privacy",
  "/about": "About",
  "/contact": "Contact",
  "/auth/google/callback": "Google authentication failed",
  "/subscription-success": "Sign in to continue",
  "/subscription-cancelled": "Nothing was charged",
  "/email-confirmation": "Confirm your e-mail",
  "/email-verification": "E-mail verification",
  "/email-confirm-success": "E-mail confirmed",
  "/auth/confirm-email": "E-mail confirmed",
  "/blog": "Blog",
  "/blog/{slug}": "Harbours",
  "/debug/languages": "Language tester",
  "/analytics-test": "Analytics test",
  "/test/chunked-transcription": "Chunked transcription test",
  "/test/realtime-transcription": "Realtime transcription test",
  "/settings": "Account",
  "/subscription": "Subscription",
  "/feedback": "Feedback",
  "/dashboard": "Dashboard",
  "/transcription/{id}": "Harbour talk",
  "/file-upload-config": "Transcription isn’t available on this server",
  "/url-transcription-config": "Transcription isn’t available on this server",
  "/file-processing/{transcriptionId}": "Harbour talk",
  "/voice-translator": "Live translation isn’t available on this server",
  "/speech-to-text": "Transcription isn’t available on this server",
  "/encrypted-audio": "Encrypted audio",
  "/encrypted-audio/{transcriptionId}": "Encrypted audio",
  "/admin": "Admin Panel",
  "/blog/admin": "Blog Admin",
  "/blog/admin/analytics": "Blog analytics",
  "/blog/admin/editor": "New post",
  "/blog/admin/generator": "Blog generator",
  "/admin/blog": "Blog Admin",
  "/admin/blog/analytics": "Blog analytics",
  "/admin/blog/editor": "New post",
  "/admin/blog/generator": "Blog generator",
};

/** Opens each route: its heading appears, nothing is loading, and nothing has failed. */
async function walk(routes: readonly string[]): Promise<void> {
  for (const route of routes) {
    await open(route.replace("{slug}", "harbours").replace(/\{.*\}/, "t1"));
    const name = headings[route];
    if (name === undefined) throw new Error(`${route} has no heading in the table.`);
    await expect.poll(() => document.querySelector("main h1")?.textContent).toBe(name);
    await expect.element(page.getByText("Something went wrong", { exact: true })).not.toBeInTheDocument();
    const waiting = page
      .getByRole("main")
      .getByRole("status")
      .filter({ hasText: /^Loading/ });
    await expect.element(waiting).not.toBeInTheDocument();
  }
}

// PROMISE code: The page works with any server that speaks the specification
describe("all specified routes on a server that implements only the specification", () => {
  test("shows every route's heading to visitors", () => walk(specifiedRoutes.everyone));

  test.each([
    ["free@example.org", [...specifiedRoutes.signedIn]],
    ["paying@example.org", [...specifiedRoutes.signedIn, ...specifiedRoutes.subscribed]],
    ["chief@example.org", [...specifiedRoutes.subscribed, ...specifiedRoutes.superuser]],
  ])("shows every route's heading to %s", async (email, routes) => {
    await signIn(email);
    await walk(routes);
  });
});

// SPEC 3: "usageData (usedTranslationMinutes)"
// SPEC 5: "At 8 minutes used or more and under 10, a toast says 'You have {n} minutes remaining in your free tier.'"
test("counts the free minutes from the other server's subscription", async () => {
  await signIn("spending@example.org");
  await expect.element(page.getByRole("link", { name: "1.6 free minutes left" }).first()).toBeVisible();
  for (const path of ["/voice-translator", "/speech-to-text"]) {
    await open(path);
    const toast = () => document.querySelector(".Toastify__toast")?.textContent;
    await expect.poll(toast).toContain("You have 1.6 minutes remaining in your free tier.");
    await page.getByRole("button", { name: "Close" }).click();
    await expect.poll(toast).toBeUndefined();
  }
  await open("/subscription");
  await expect.element(page.getByText("8.4 of 10 free minutes used this month")).toBeVisible();
});

// SPEC 8: "Other login failures show the server message"
test("shows the other server's message for a refused sign-in", async () => {
  await open("/signin");
  await fillIn("nobody@example.org", "something else");
  const alert = page.getByRole("alert");
  await expect.element(alert).toHaveTextContent("Wrong e-mail or password, says the other server.");
});

// SPEC 7 Transcriptions: "DELETE /audio/remove-transcription/{id}"
// SPEC 7 Transcriptions: "PUT /audio/remove-transcription/{id}"
test("filters, reads, corrects and deletes transcripts on the other server", async () => {
  await signIn("free@example.org");
  const rows = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name: /Harbour talk|Waiting|Broken/ }) });
  await expect.poll(() => rows.elements().length).toBe(3);
  const search = page.getByLabelText("Search titles, transcripts and translations");
  await search.fill("puerto");
  await expect.poll(() => rows.elements().length).toBe(1);
  await page.getByRole("link", { name: "Harbour talk" }).click();
  await expect.element(page.getByText("El puerto está tranquilo.")).toBeVisible();
  await page.getByRole("button", { name: "Correct the text" }).click();
  await page.getByRole("textbox", { name: "Transcript" }).fill("The harbour is loud.");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await expect.poll(() => calls.filter((call) => call === "PUT /audio/remove-transcription/t1")).toHaveLength(1);
  await open("/dashboard");
  await search.clear();
  await expect.element(page.getByText("The harbour is loud.")).toBeVisible();
  await page.getByLabelText("Actions for Broken wave").click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.poll(() => rows.elements().length).toBe(2);
  // The page removes the row before the server has answered.
  await expect.poll(() => calls).toContain("DELETE /audio/remove-transcription/t3");
});

// SPEC 7 Blog, admin (Bearer): "POST /admin/blog (create)"
// SPEC 6: "create, update and delete posts"
test("likes a post and writes a new one on the other server", async () => {
  await open("/blog/listening-well");
  await page.getByRole("button", { name: /^Like/ }).click();
  await expect.element(page.getByText("3 likes")).toBeInTheDocument();
  await signIn("chief@example.org");
  await open("/blog/admin/editor");
  await page.getByLabelText("Title", { exact: true }).fill("A new harbour");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect.poll(() => calls.filter((call) => call === "POST /admin/blog")).toHaveLength(1);
  await open("/blog/admin");
  await expect.element(page.getByRole("link", { name: "A new harbour" }).first()).toBeVisible();
});

test("keeps a message that the other server does not accept", async () => {
  await open("/contact");
  await page.getByLabelText("E-mail").fill("ada@example.org");
  await page.getByLabelText("Your message").fill("Is anybody there?");
  await page.getByRole("button", { name: "Send message" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("This server doesn’t offer that.");
  await expect.element(page.getByLabelText("Your message")).toHaveValue("Is anybody there?");
});

test.each([
  ["/trash", "This server doesn’t offer that."],
  ["/search?q=harbour", "This server doesn’t offer that."],
])("offers no retry on %s, which the other server does not know", async (path, text) => {
  await signIn("free@example.org");
  await open(path);
  const notice = page.getByRole("alert").filter({ hasText: text });
  await expect.element(notice).toBeVisible();
  await expect.element(notice.getByRole("button")).not.toBeInTheDocument();
});
