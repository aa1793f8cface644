import { describe, expect, it } from "vitest";
import { OwnSubscriptionAnswer, Subscription } from "#contract/index.ts";
import { read, refusal, signUp, startTestServer } from "#tests/server/harness.ts";
import { subscribe } from "./subscribed.ts";

const own = "/subscriptions/account/subscription";

describe("GET /subscriptions/account/subscription", () => {
  // SPEC 7 Users and subscriptions: "GET /subscriptions/me"
  // SPEC 7 Users and subscriptions: "subscription with id and status; 404 means free"
  it("answers 404 without a subscription, in both families of calls", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    expect(await refusal(await person.call("GET", own))).toBe("404 notFound");
    expect(await refusal(await person.call("GET", "/subscriptions/me"))).toBe("404 notFound");
  });

  // SPEC 7 Users and subscriptions: "GET /subscriptions/me"
  it("returns the user's own latest subscription", async () => {
    const server = await startTestServer();
    const [person, other] = [await signUp(server), await signUp(server)];
    await subscribe(server.dataDir, person, { id: "first", status: "canceled", createdAt: 1 });
    await subscribe(server.dataDir, person, { id: "second", status: "active", createdAt: 2 });
    const expected = { id: "second", status: "active", plan: "premium", interval: "month", cancelAtPeriodEnd: false };
    const answer = await read(await person.call("GET", own), 200, Subscription);
    expect(answer).toEqual({ ...expected, currentPeriodEnd: "2099-12-01T00:00:00.000Z", granted: true });
    expect((await read(await person.call("GET", "/subscriptions/me"), 200, OwnSubscriptionAnswer)).subscription).toEqual(answer);
    expect(await refusal(await other.call("GET", own))).toBe("404 notFound");
  });

  it("refuses to show a subscription without a token", async () => {
    const server = await startTestServer();
    expect((await fetch(`${server.apiUrl}${own}`)).status).toBe(401);
  });
});
