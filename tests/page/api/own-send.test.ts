import { expect, test } from "vitest";
import { ApiError, createOwnSend } from "#src/api/http.ts";

test("what is a person's own is not asked for when nobody is signed in any more", async () => {
  const asked: string[] = [];
  let isSignedIn = true;
  const send = createOwnSend(
    async (path) => {
      asked.push(path);
      return Response.json({});
    },
    async () => {
      if (!isSignedIn) throw new ApiError(401, "unauthorized");
      return "token";
    },
  );
  await send("/history");
  isSignedIn = false;
  await expect(send("/events")).rejects.toMatchObject({ status: 401, code: "unauthorized" });
  expect(asked).toEqual(["/history"]);
});
