import { expect, test } from "vitest";
import { ApiError, createOwnSend } from "#src/api/http.ts";

test("does not request private data after the user has signed out", async () => {
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
