import { expect, test } from "vitest";
import { createLocalBus } from "#server/bus/bus.ts";
import { createLog } from "#server/log/log.ts";

const quiet = createLog("silent", Date.now);

test("delivers a message to every listener of its topic and to no other", () => {
  const bus = createLocalBus(quiet);
  const heard: string[] = [];
  bus.subscribe("mails.added", (message) => heard.push(`one ${message}`));
  bus.subscribe("mails.added", (message) => heard.push(`two ${message}`));
  bus.subscribe("jobs.added", () => heard.push("never"));
  bus.publish("mails.added");
  expect(heard).toEqual(["one ", "two "]);
});

test("removes only one subscription when the same listener subscribed twice", () => {
  const bus = createLocalBus(quiet);
  let heard = 0;
  const listener = () => {
    heard += 1;
  };
  const stop = bus.subscribe("jobs.added", listener);
  bus.subscribe("jobs.added", listener);
  stop();
  stop();
  bus.publish("jobs.added");
  expect(heard).toBe(1);
});

test("logs a listener's error and still delivers the message to the others", () => {
  const lines: string[] = [];
  const bus = createLocalBus(
    createLog(
      "error",
      () => 0,
      (line) => lines.push(line),
    ),
  );
  let heard = false;
  bus.subscribe("jobs.added", () => {
    throw new Error("broken");
  });
  bus.subscribe("jobs.added", () => {
    heard = true;
  });
  bus.publish("jobs.added");
  expect(heard).toBe(true);
  expect(lines.join("")).toContain("broken");
});

test("refuses a long text as a message", () => {
  const bus = createLocalBus(quiet);
  expect(() => bus.publish("transcriptions.changed", "x".repeat(201))).toThrow(RangeError);
});
