import { expect, test } from "vitest";
import { openSession } from "#src/features/session/actor.ts";
import { answer, openPage, page, refusal } from "#tests/components/harness.ts";
import { post } from "#tests/machines/blog-admin/posts.ts";

// SPEC 2 Route guard: "Public paths, and any path starting with /blog, skip the auth check."
test("keeps the blog open when the session was ended elsewhere", async () => {
  const gone = refusal(401, "unauthorized");
  const tea = post({ status: "published", publishedAt: "2026-09-01T23:30:00.000Z", slug: "tea", title: "About tea" });
  answer({
    "GET /users/me": gone,
    "POST /auth/refresh": gone,
    "GET /blog/:slug": () => ({ ...tea }),
    "POST /blog/:id/view": {},
  });
  await openPage("/blog/tea", { profile: { id: "gone" } });
  // Imitates a page load: in this test the session may have started before the sign-in.
  openSession().send({ type: "profile.outdated" });
  await expect.poll(() => localStorage.getItem("jwtToken")).toBeNull();
  await expect.element(page.getByRole("heading", { name: "About tea", level: 1 })).toBeVisible();
  expect([location.pathname, localStorage.getItem("persist:root")]).toEqual(["/blog/tea", null]);
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});
