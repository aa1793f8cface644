import { afterEach, beforeAll, beforeEach } from "vitest";
import { forgetAnswers, network, takeUnanswered } from "./harness-network.ts";
import { leavePage } from "./harness-page.ts";

beforeAll(() => {
  if (network.readyState === 0) network.enable();
});

// What the last test's page still asked for while it was left is nobody's concern.
beforeEach(() => {
  forgetAnswers();
  takeUnanswered();
});

// What was asked and not answered fails the test that asked it.
afterEach(async () => {
  const unanswered = takeUnanswered();
  await leavePage();
  if (unanswered.length > 0) throw new Error(`The page made calls that the test does not answer:\n${unanswered.join("\n")}`);
});
