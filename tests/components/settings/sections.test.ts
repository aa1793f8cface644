import { afterEach, expect, test, vi } from "vitest";
import { sections, sectionWith } from "#src/features/settings/sections.ts";
import { answer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { violations } from "#tests/components/harness-axe.ts";
import { textsOf } from "#tests/components/harness-texts.ts";

// The sections of the settings: their column, their addresses, and their list on a phone.

const column = page.getByRole("navigation", { name: "Settings", exact: true });
const link = (name: string) => column.getByRole("link", { name, exact: true });
const heading = (name: string) => page.getByRole("heading", { name, level: 1, exact: true });
const names = [...["Account", "Preferences", "Transcription", "Notifications", "Security", "Developer"], "Data and privacy"];
const phone = () => page.viewport(390, 844);

afterEach(() => page.viewport(1280, 800));

test("opens the first section by default, and each section at its own address with the focus on its title", async () => {
  await openPage("/settings");
  await expect.poll(() => location.pathname).toBe("/settings/account");
  await expect.element(heading("Account")).toBeVisible();
  expect(textsOf(column.getByRole("link"))).toEqual(names);
  for (const [index, name] of [...names.entries()].toReversed()) {
    await link(name).click();
    await expect.element(heading(name)).toHaveFocus();
    expect(location.pathname).toBe(`/settings/${sections[index]?.name}`);
    expect(document.title).toBe(`${name} · Settings · Parlance`);
    const current = column
      .getByRole("link")
      .elements()
      .filter((each) => each.getAttribute("aria-current") === "page");
    expect(current.map((each) => each.textContent)).toEqual([name]);
  }
});

test("redirects an anchor of an earlier release to the section that contains its card", async () => {
  await openPage("/feedback");
  for (const { name, ids } of sections) {
    for (const id of [name, ...ids]) {
      await openPage(`/settings#${id}`);
      await expect.poll(() => location.pathname).toBe(`/settings/${name}`);
      const card = document.getElementById(id);
      if (card !== null) expect(document.activeElement).toBe(card);
    }
    // The table of sections knows every card.
    const cards = [...document.querySelectorAll("section > h2[id]")].map(({ id }) => id);
    expect(cards.map((id) => [id, sectionWith(id)])).toEqual(cards.map((id) => [id, name]));
  }
});

test("shows the list of sections on a phone, and links back to it from each section", async () => {
  await phone();
  await openPage("/feedback");
  await openPage("/settings");
  await expect.element(heading("Settings")).toHaveFocus();
  expect([location.pathname, document.title]).toEqual(["/settings", "Settings · Parlance"]);
  expect(textsOf(column.getByRole("link"))).toEqual(names);
  expect(await violations()).toEqual([]);
  await link("Security").click();
  await expect.element(heading("Security")).toHaveFocus();
  await expect.element(column).not.toBeInTheDocument();
  await userEvent.keyboard("{Shift>}{Tab}{/Shift}{Enter}");
  await expect.element(heading("Settings")).toHaveFocus();
  await expect.element(heading("Security")).not.toBeInTheDocument();
  await openPage("/settings#password");
  await expect.poll(() => document.activeElement?.textContent).toBe("Password");
});

test("opens the first section when a window grows from phone size", async () => {
  await phone();
  await openPage("/settings");
  await expect.element(heading("Settings")).toBeVisible();
  await page.viewport(1280, 800);
  await expect.element(heading("Account")).toBeVisible();
});

test("loads data only for the open section", async () => {
  const asked: string[] = [];
  const record = (path: string) => ({
    [`GET ${path}`]: () => {
      asked.push(path);
      return refusal(404, "notOffered");
    },
  });
  answer({
    ...record("/users/me/sessions"),
    ...record("/users/me/sign-ins"),
    ...record("/users/me/notices"),
    ...record("/users/me/feeds"),
    ...record("/users/me/vocabulary"),
    ...record("/users/me/voice-profiles"),
    ...record("/users/me/tokens"),
    ...record("/users/me/webhooks"),
    ...record("/api/v1/storage"),
  });
  await openPage("/settings/preferences", { preloads: true });
  await link("Security").hover();
  await link("Developer").click();
  await expect.element(page.getByText("This server has no settings here.")).toBeVisible();
  expect(asked.toSorted()).toEqual(["/users/me/tokens", "/users/me/webhooks"]);
});

test("hides the cards that the server does not support, and shows the others", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const no = refusal(404, "notOffered");
  answer({
    "GET /users/me/sessions": no,
    "GET /users/me/sign-in-methods": no,
    "GET /users/me/notices": no,
    "GET /api/v1/audio-transcriptions/retention": no,
  });
  const card = (name: string) => page.getByRole("region", { name, exact: true });
  await openPage("/settings/account");
  await expect.element(page.getByText("You can’t change your account on this server")).toBeVisible();
  await expect.element(card("Name")).not.toBeInTheDocument();
  await expect.element(card("Subscription").getByRole("link")).toHaveAttribute("href", "/subscription");
  await link("Notifications").click();
  await expect.element(page.getByText("This server has no settings here.")).toBeVisible();
  await link("Security").click();
  await expect.element(page.getByText("You can’t change your account on this server")).toBeVisible();
  await expect.element(card("Password")).not.toBeInTheDocument();
  await link("Data and privacy").click();
  await expect.element(card("Encrypted audio").getByRole("link")).toHaveAttribute("href", "/encrypted-audio");
  await expect.element(card("Delete my account")).not.toBeInTheDocument();
  await expect.element(card("How long transcripts are kept")).not.toBeInTheDocument();
});

test("lists the retention of each folder, and edits one in place", async () => {
  const base = "/api/v1/audio-transcriptions";
  const nothing = { soon: 0, next: null };
  answer({
    [`GET ${base}/filing`]: { folders: [{ id: "calls", name: "Calls", colour: "green", count: 2 }], tags: [] },
    [`GET ${base}/retention`]: { rules: [{ folderId: "calls", audioDays: 30, textDays: null }] },
    [`POST ${base}/retention/preview`]: { audio: nothing, text: nothing },
    [`PUT ${base}/retention`]: ({ request }) => request.json(),
  });
  await openPage("/settings/data");
  const card = page.getByRole("region", { name: "How long transcripts are kept", exact: true });
  await expect
    .poll(() => textsOf(card.getByRole("listitem")))
    .toEqual(["Calls Recording: Deleted after 30 days Change…", "No folder Nothing is deleted automatically. Change…"]);
  const change = card.getByRole("button", { name: "Change… Calls", exact: true });
  await change.click();
  await expect.element(card.getByRole("heading", { name: "How long “Calls” is kept" })).toHaveFocus();
  await card.getByLabelText("Recording", { exact: true }).selectOptions("Deleted after 7 days");
  await card.getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(change).toHaveFocus();
  await expect.poll(() => textsOf(card.getByRole("listitem"))[0]).toBe("Calls Recording: Deleted after 7 days Change…");
  await change.click();
  await card.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(change).toHaveFocus();
});
