import { expect, test } from "vitest";
import { answer, holdAnswer, openPage, page, refusal } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { row } from "#tests/machines/admin/harness.ts";
import { paged } from "./rows.ts";

const rows = () => textsOf(page.getByRole("table").getByRole("row")).slice(1);
const people = [
  row({ minutesThisMonth: 1_234.56, lastSeenAt: "2026-03-02T08:15:00.000Z" }),
  row({ id: "u2", email: "grace@example.org", name: "", premium: true, superuser: true, confirmed: false, blocked: true }),
];

/**
 * Opens a list of users.
 * @returns the queries of the page's requests
 */
async function open(search = "", users = people, total = users.length): Promise<string[]> {
  const asked: string[] = [];
  answer({
    "GET /admin/users": ({ request }) => {
      asked.push(new URL(request.url).search);
      return { users, pagination: paged(total, Number(new URL(request.url).searchParams.get("page"))) };
    },
  });
  await openPage(`/admin?section=users${search}`, { as: "superuser" });
  return asked;
}

test("lists users with their plan, last visit and minutes", async () => {
  const asked = await open();
  await expect.element(page.getByText("Users: 2")).toBeVisible();
  expect(rows()).toEqual([
    "ada@example.org Ada Free 1 March 2026 2 Mar 2026, 09:15 1,234.6",
    "grace@example.org Premium Administrator Blocked E-mail not confirmed 1 March 2026 Never, or long ago 0.0",
  ]);
  const tones = [...document.querySelectorAll("tbody [data-label=Plan] span > span")].map((one) => one.getAttribute("data-tone"));
  expect(tones).toEqual([null, "good", "accent", "danger", null]);
  expect(asked).toEqual(["?page=1&search=&plan=all&sort=newest"]);
  expect(textsOf(page.getByRole("columnheader"))).toEqual([
    "E-mail and name",
    "Plan",
    "Registered",
    "Last seen",
    "Minutes this month",
  ]);
  await expect.element(page.getByRole("link", { name: "grace@" })).toHaveAttribute("href", "/admin?section=users&user=u2");
});

test("searches, filters and sorts users, and keeps the choices in the address", async () => {
  const asked = await open("&page=3");
  const search = page.getByRole("searchbox", { name: "Search by e-mail or name" });
  await search.fill("Ad");
  await expect.poll(() => location.search).toBe("?section=users&search=Ad");
  await page.getByLabelText("Show").selectOptions("Administrators");
  await expect.poll(() => location.search).toBe("?section=users&search=Ad&plan=superuser");
  await page.getByLabelText("Order").selectOptions("By e-mail");
  await expect.poll(() => location.search).toBe("?section=users&search=Ad&plan=superuser&sort=email");
  await page.getByLabelText("Order").selectOptions("Newest first");
  await page.getByLabelText("Show").selectOptions("Everybody");
  await expect.poll(() => location.search).toBe("?section=users&search=Ad");
  await expect.poll(() => asked.at(-1)).toBe("?page=1&search=Ad&plan=all&sort=newest");
  expect(asked).toContain("?page=1&search=Ad&plan=superuser&sort=email");
  expect(asked[0]).toBe("?page=3&search=&plan=all&sort=newest");
  const texts = (label: string) => [...page.getByLabelText(label).element().querySelectorAll("option")].map((one) => one.text);
  expect(texts("Show")).toEqual(["Everybody", "Free", "Premium", "Administrators"]);
  expect(texts("Order")).toEqual(["Newest first", "Oldest first", "By e-mail", "Recently active first", "Most minutes first"]);
});

test("replaces invalid values in the address by defaults", async () => {
  expect(await open("&page=0&plan=gold&sort=up&search=123")).toEqual(["?page=1&search=123&plan=all&sort=newest"]);
  await expect.element(page.getByRole("searchbox")).toHaveValue("123");
});

test("goes from page to page, and stops at the last one", async () => {
  await open("&search=a", people, 41);
  const paging = page.getByRole("navigation", { name: "Pages" });
  const [previous, next] = [paging.getByText("Previous page"), paging.getByText("Next page")];
  await expect.element(paging.getByText("Page 1 of 3")).toBeVisible();
  await expect.element(previous).toHaveAttribute("aria-disabled", "true");
  await expect.element(previous).toHaveAttribute("tabindex", "-1");
  await next.click();
  await expect.element(paging.getByText("Page 2 of 3")).toBeVisible();
  expect(location.search).toBe("?section=users&page=2&search=a");
  await next.click();
  await expect.element(paging.getByText("Page 3 of 3")).toBeVisible();
  await expect.element(next).toHaveAttribute("aria-disabled", "true");
  await previous.click();
  await expect.element(paging.getByText("Page 2 of 3")).toBeVisible();
  await previous.click();
  await expect.element(paging.getByText("Page 1 of 3")).toBeVisible();
  expect(location.search).toBe("?section=users&search=a");
});

test("shows no paging for twenty users, and says when no user is found", async () => {
  await open("", people, 20);
  await expect.element(page.getByText("Users: 20")).toBeVisible();
  await expect.element(page.getByRole("navigation", { name: "Pages" })).not.toBeInTheDocument();
  answer({ "GET /admin/users": { users: [], pagination: paged(0) } });
  await page.getByRole("searchbox").fill("nobody_here");
  await expect.element(page.getByText("No users found.")).toBeVisible();
  await expect.element(page.getByRole("table")).not.toBeInTheDocument();
});

test("keeps showing the old list of users while the new one loads", async () => {
  await open();
  await expect.element(page.getByText("Users: 2")).toBeVisible();
  const slow = holdAnswer();
  answer({ "GET /admin/users": slow.answer });
  await page.getByRole("searchbox").fill("g");
  await expect.element(page.getByRole("status").getByText("Loading…")).toBeVisible();
  expect(rows()).toHaveLength(2);
  expect(document.querySelector("main [aria-busy=true]")).not.toBeNull();
  slow.give({ users: people.slice(1), pagination: paged(1) });
  await expect.element(page.getByText("Users: 1")).toBeVisible();
  expect(document.querySelector("main [aria-busy=true]")).toBeNull();
});

test("says that users can't be fetched, and fetches them on retry", async () => {
  answer({ "GET /admin/users": refusal(500, "internal") });
  await openPage("/admin?section=users", { as: "superuser" });
  await expect.element(page.getByRole("alert")).toMatchTextContent(/^Failed to fetch usersSomething went wrong on the server/);
  answer({ "GET /admin/users": { users: people, pagination: paged(2) } });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByText("Users: 2")).toBeVisible();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});
