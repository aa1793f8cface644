import { expect, test } from "vitest";
import type { SharedPerson } from "#contract/index.ts";
import { answer, holdAnswer, page, refusal } from "#tests/components/harness.ts";
import { optionsOf, textsOf } from "#tests/components/harness-texts.ts";
import { openTranscript } from "#tests/components/harness-transcripts.ts";

// Sharing a transcript with people: inviting them, changing their role, removing them.

const path = "/api/v1/audio-transcriptions/transcription/:id/people";
const list = page.getByRole("region", { name: "Share", exact: true });
const button = (name: string) => list.getByRole("button", { name, exact: true });
const heading = (name: string) => list.getByRole("heading", { name, exact: true });
const alert = list.getByRole("alert");
const dialog = page.getByRole("dialog");
const rows = () => textsOf(list.getByRole("list", { name: "People with access" }).getByRole("listitem"));
const email = list.getByLabelText("E-mail address");
const done = (text: string) => expect.element(page.getByRole("status").getByText(text).first()).toBeVisible();
const person = (id: string, more: Partial<SharedPerson> = {}): SharedPerson => ({
  ...{ id, email: `${id}@example.org`, role: "read", accepted: true, createdAt: "2026-01-01T00:00:00.000Z", expiresAt: null },
  ...more,
});

async function open(people: SharedPerson[]) {
  answer({
    "GET /api/v1/audio-transcriptions/transcription/:id/links": { links: [] },
    [`GET ${path}`]: { people },
  });
  await openTranscript();
  await page.getByRole("button", { name: "Share", exact: true }).click();
}

test("invites an address to a transcript, and says why an invitation failed", async () => {
  const sent: unknown[] = [];
  const held = holdAnswer();
  let code = "";
  await open([]);
  answer({
    [`POST ${path}`]: async ({ request }) => {
      sent.push(await request.json());
      return code === "" ? held.answer() : refusal(400, code);
    },
  });
  await expect.element(email).toHaveAccessibleDescription(/the invitation is valid for 14 days\.$/);
  expect(optionsOf("Permission")).toEqual(["Can read", "Can correct"]);
  await email.fill("nobody");
  code = "badRequest";
  await button("Invite").click();
  await expect.element(email).toHaveAccessibleDescription(/Enter another person’s e-mail address, such as anna@example\.org/);
  await expect.element(alert).not.toBeInTheDocument();
  await email.fill("anna@example.org");
  for (const [refused, text] of [
    ["conflict", "This person already has access or an invitation."],
    ["tooManyAtOnce", "You have reached the limit of people for this transcript. Remove someone first."],
    ["tooManyRequests", "Too many attempts. Wait a moment."],
    ["internal", "That didn’t work. Nothing was changed."],
  ] as const) {
    code = refused;
    await button("Invite").click();
    await expect.element(alert).toHaveTextContent(text);
  }
  code = "";
  await list.getByLabelText("Permission").selectOptions("Can correct");
  await button("Invite").click();
  await expect.element(button("Invite")).toHaveAttribute("aria-busy", "true");
  held.give(person("anna", { role: "correct", accepted: false, expiresAt: "2026-03-04T11:00:00.000Z" }));
  await done("Invited.");
  await expect.element(email).toHaveFocus();
  await expect.element(email).toHaveValue("");
  expect(rows()[0]).toMatch(/^anna@example\.org Invited, expires 4 March 2026/);
  await expect.element(list.getByLabelText("What anna@example.org can do")).toHaveValue("correct");
  expect(sent.at(-1)).toEqual({ email: "anna@example.org", role: "correct" });
  // The form resets the role for the next invitation.
  await expect.element(list.getByLabelText("Permission")).toHaveValue("read");
});

test("changes a person's role, and ends the share after confirmation", async () => {
  const sent: unknown[] = [];
  const held = holdAnswer();
  let refused = false;
  await open([person("one/1"), person("two")]);
  answer({
    [`PATCH ${path}/:person`]: async ({ request, params }) => {
      sent.push([params.person, await request.json()]);
      return refused ? refusal(404, "notFound") : held.answer();
    },
    [`DELETE ${path}/:person`]: ({ params }) => {
      sent.push([params.person]);
      return new Response(null, { status: 204 });
    },
  });
  const role = list.getByLabelText("What one/1@example.org can do");
  await role.selectOptions("Can correct");
  await expect.element(role).toBeDisabled();
  await expect.element(list.getByLabelText("What two@example.org can do")).toBeEnabled();
  held.give(person("one/1", { role: "correct" }));
  await done("Saved.");
  await expect.element(role).toBeEnabled();
  await expect.element(role).toHaveValue("correct");
  expect(rows()[0]).not.toContain("Invited");
  await button("Remove access for one/1@example.org").click();
  await expect.element(dialog.getByText(/^one\/1@example\.org loses access immediately/)).toBeVisible();
  await dialog.getByRole("button", { name: "Keep" }).click();
  await button("Remove access for one/1@example.org").click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await done("Access removed.");
  await expect.element(heading("Who has access")).toHaveFocus();
  expect(rows()).toHaveLength(1);
  refused = true;
  answer({ [`GET ${path}`]: { people: [] } });
  await list.getByLabelText("What two@example.org can do").selectOptions("Can correct");
  await expect.element(alert).toHaveTextContent("This person has already left, or their access was already removed.");
  expect(sent).toEqual([["one/1", { role: "correct" }], ["one/1"], ["two", { role: "correct" }]]);
});
