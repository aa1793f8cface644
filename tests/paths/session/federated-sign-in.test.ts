import { createActor } from "xstate";
import type { FederatedProvider } from "#contract/index.ts";
import {
  type FederatedEvent,
  federatedSignInMachine,
  selectIsInWindow,
  selectIsLeaving,
  selectProvider,
  selectProviders,
  selectRefusal,
} from "#machines/session/federated-sign-in.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const provider = stubs.asking<readonly FederatedProvider[]>();
  const messages = stubs.callback<FederatedEvent>();
  const window = stubs.callback<FederatedEvent, FederatedEvent, { provider: string }>();
  return ({ clock, inspect }: RunOptions) => {
    const done = { remembered: "", begun: "", left: 0, leftTo: "", linking: false, stepping: false };
    const machine = federatedSignInMachine.provide({
      actors: { loadProviders: provider.logic, messages: messages.logic, window: window.logic },
      actions: {
        rememberPath: (_, { path }) => {
          done.remembered = path;
        },
        begin: (_, { accessToken }) => {
          done.begun = accessToken;
        },
        openLinking: () => {
          done.linking = true;
        },
        openSecondStep: () => {
          done.stepping = true;
        },
        leavePage: (_, { provider }) => {
          done.left += 1;
          done.leftTo = provider;
        },
      },
    });
    return { actor: createActor(machine, { clock, inspect }), provider, messages, window, done };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const now = ({ actor }: Harness) => actor.getSnapshot();
const provider = (harness: Harness) => harness.provider;
const messages = (harness: Harness) => harness.messages;
const window = (harness: Harness) => harness.window;

walkTests<Harness>({
  machine: federatedSignInMachine,
  prepare,
  moves: [
    sent({ type: "provider.requested" }),
    answered("there are two providers", provider, () => [
      { id: "google", name: "Google" },
      { id: "work", name: "Work" },
    ]),
    answered("there is none", provider, () => []),
    refused("nobody says whether there is one", provider, failure("network")),
    sent({ type: "signIn.requested", path: "/signin?lng=en", provider: "google" }, "it begins on /signin"),
    sent({ type: "signIn.requested", path: "/signup#top", provider: "work" }, "it begins on /signup"),
    said({ type: "window.refused" }, window),
    said({ type: "window.closed" }, window),
    said({ type: "token.received", accessToken: "t" }, messages),
    said({ type: "refusal.received", code: "providerFailed" }, messages),
    said({ type: "link.required" }, messages),
    said({ type: "code.required" }, messages),
    said({ type: "page.returned" }, messages),
    sent({ type: "page.left" }),
  ],
  situation: (harness) => [
    now(harness).context,
    harness.done.remembered,
    harness.done.begun,
    harness.done.left > 0,
    harness.done.linking,
    harness.done.stepping,
  ],
  rules: {
    "messages are heard all the time": (harness) => harness.messages.running() === 1,
    "the provider is asked for once at a time": (harness) => harness.provider.open().length <= 1,
    "the window is looked after exactly while it is open": (harness) =>
      harness.window.running() === (selectIsInWindow(now(harness)) ? 1 : 0),
    "this page is left only where no window may be opened": (harness) => !selectIsLeaving(now(harness)) || harness.done.left > 0,
    "SPEC.md section 4: the path is remembered when it is not /signin": ({ done }) =>
      ["", "/signup#top"].includes(done.remembered),
    "there are buttons only for providers": (harness) => [0, 2].includes(selectProviders(now(harness)).length),
    "the name is that of the one whose button was pressed": (harness) =>
      [null, { google: "Google", work: "Work" }[now(harness).context.chosen] ?? "Google / Work"].includes(
        selectProvider(now(harness)),
      ),
    "this window goes to the one whose button was pressed": ({ done }) =>
      done.left === 0 || ["google", "work"].includes(done.leftTo),
    "who has started anew does not see the last failure": (harness) =>
      !(selectIsInWindow(now(harness)) || selectIsLeaving(now(harness))) ||
      selectRefusal(now(harness)) === null ||
      harness.done.left > 0,
  },
  unreachable: {
    "federatedSignIn.offered.inWindow: window failed → federatedSignIn.offered.leaving":
      "a browser that throws is like one that refuses",
  },
});
