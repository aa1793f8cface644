import { expect, test } from "vitest";
import { minute, second } from "#tests/machines/session/harness.ts";
import { openBrowser } from "./simulated/browser.ts";
import { createDice, SimulatedTime } from "./simulated/time.ts";

const tabs = 20;
const callsOfEach = 50;

test.each([
  ["that the server refuses", 900, ({ server }: ReturnType<typeof openBrowser>) => server.refuseAccessTokens()],
  ["that has ended while the computer slept", 360, (_: unknown, time: SimulatedTime) => time.sleep(10 * minute)],
])(
  `refreshes once and fails no call for ${tabs} tabs with ${callsOfEach} calls each and a token %s`,
  async (_, seconds, spoil) => {
    const time = new SimulatedTime();
    const browser = openBrowser(time, createDice(7));
    browser.server.accessSeconds = seconds;
    const open = Array.from({ length: tabs }, () => browser.openTab());
    void open[0]?.signIn();
    await time.pass(second);
    expect(new Set(open.map((tab) => tab.token())).size).toBe(1);
    browser.network.exchanges.length = 0;
    spoil(browser, time);
    for (const tab of open) for (let left = callsOfEach; left > 0; left--) void tab.call();
    await time.pass(20 * second);
    expect(browser.calls.map(({ status }) => status)).toEqual(Array.from({ length: tabs * callsOfEach }, () => 200));
    expect(browser.network.exchanges.filter(({ path }) => path === "/auth/refresh")).toHaveLength(1);
    expect(new Set(open.map((tab) => tab.token())).size).toBe(1);
    for (const tab of open) tab.close();
  },
  60_000,
);
