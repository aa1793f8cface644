import { expect, test } from "vitest";
import { answer, openPage, page, refusal } from "#tests/components/harness.ts";

// SPEC 2 Route guard: "Public paths, and any path starting with /blog, skip the auth check."
test("lets a reader of the terms read on when the session was ended elsewhere", async () => {
  const gone = refusal(401, "unauthorized");
  answer({ "GET /users/me": gone, "POST /auth/refresh": gone });
  await openPage("/terms", { profile: { id: "gone" }, isRemembered: false });
  await expect.poll(() => localStorage.getItem("jwtToken")).toBeNull();
  await expect.element(page.getByRole("link", { name: "Sign in" }).first()).toBeVisible();
  expect([location.pathname, localStorage.getItem("persist:root")]).toEqual(["/terms", null]);
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});
