import { expect, test } from "vitest";
import { answer, noPages, openPage, page } from "#tests/components/harness.ts";
import { filled } from "#tests/components/shell/filled.ts";

/** Chooses an option as a person does, but faster than the page can follow. */
function choose(label: string, value: string): void {
  const field = page.getByLabelText(label, { exact: true }).element();
  if (!(field instanceof HTMLSelectElement)) throw new Error(`${label} is no list to choose from.`);
  field.value = value;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

test.each([
  ["/admin?section=users", ["Show", "superuser"], ["Order", "email"], "?section=users&plan=superuser&sort=email"],
  ["/admin?section=inbox", ["Show", "contact"], ["Status", "done"], "?section=inbox&kind=contact&state=done"],
  ["/admin/blog", ["Status", "draft"], ["Written by", "yes"], "?status=draft&generated=yes"],
] as const)(
  "applies both filters when the second is chosen before the list has changed: %s",
  async (path, first, second, address) => {
    answer({
      ...filled,
      "GET /admin/users": { users: [], pagination: noPages },
      "GET /admin/inbox": { messages: [], pagination: noPages },
    });
    await openPage(path, { as: "superuser" });
    await expect.element(page.getByLabelText(first[0], { exact: true })).toBeVisible();
    choose(first[0], first[1]);
    choose(second[0], second[1]);
    await expect.poll(() => location.search).toBe(address);
  },
);
