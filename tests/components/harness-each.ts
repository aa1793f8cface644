import { afterEach, beforeAll, beforeEach } from "vitest";
import { forgetAnswers, network, takeUnanswered } from "./harness-network.ts";
import { leavePage } from "./harness-page.ts";

beforeAll(() => {
  if (network.readyState === 0) network.enable();
});

// Discards the requests that the last test's page made while it closed.
beforeEach(() => {
  forgetAnswers();
  takeUnanswered();
});

// A request without an answer fails the test that made it.
afterEach(async () => {
  const unanswered = takeUnanswered();
  await leavePage();
  if (unanswered.length > 0) throw new Error(`The page made calls that the test does not answer:\n${unanswered.join("\n")}`);
});
