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
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const provider = stage.asking<readonly FederatedProvider[]>();
  const messages = stage.callback<FederatedEvent>();
  const window = stage.callback<FederatedEvent, FederatedEvent, { provider: string }>();
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
type Rig = ReturnType<ReturnType<typeof prepare>>;

const now = ({ actor }: Rig) => actor.getSnapshot();
const provider = (rig: Rig) => rig.provider;
const messages = (rig: Rig) => rig.messages;
const window = (rig: Rig) => rig.window;

walkTests<Rig>({
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
  situation: (rig) => [
    now(rig).context,
    rig.done.remembered,
    rig.done.begun,
    rig.done.left > 0,
    rig.done.linking,
    rig.done.stepping,
  ],
  rules: {
    "messages are heard all the time": (rig) => rig.messages.running() === 1,
    "the provider is asked for once at a time": (rig) => rig.provider.open().length <= 1,
    "the window is looked after exactly while it is open": (rig) => rig.window.running() === (selectIsInWindow(now(rig)) ? 1 : 0),
    "this page is left only where no window may be opened": (rig) => !selectIsLeaving(now(rig)) || rig.done.left > 0,
    "SPEC.md section 4: the path is remembered when it is not /signin": ({ done }) =>
      ["", "/signup#top"].includes(done.remembered),
    "there are buttons only for providers": (rig) => [0, 2].includes(selectProviders(now(rig)).length),
    "the name is that of the one whose button was pressed": (rig) =>
      [null, { google: "Google", work: "Work" }[now(rig).context.chosen] ?? "Google / Work"].includes(selectProvider(now(rig))),
    "this window goes to the one whose button was pressed": ({ done }) =>
      done.left === 0 || ["google", "work"].includes(done.leftTo),
    "who has started anew does not see the last failure": (rig) =>
      !(selectIsInWindow(now(rig)) || selectIsLeaving(now(rig))) || selectRefusal(now(rig)) === null || rig.done.left > 0,
  },
  unreachable: {
    "federatedSignIn.offered.inWindow: window failed → federatedSignIn.offered.leaving":
      "a browser that throws is like one that refuses",
  },
});
