/** Harness of the component tests: the whole page in a real Chromium, and an API whose answers the test defines. */
export { page, userEvent } from "vitest/browser";
export { ada, engines, noPages, subscription, usage } from "./harness-answers.ts";
export { type HeldAnswer, holdAnswer } from "./harness-held.ts";
export { type Answers, answer, api, lost, openStream, type ReceivedCall, refusal } from "./harness-network.ts";
export { type OpenOptions, openPage } from "./harness-page.ts";
export { type Realtime, recognize } from "./harness-realtime.ts";
