import { expect, test } from "vitest";
import type { Installation } from "#contract/index.ts";
import { answer, lost, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { answerWith, builtIn, group, here, installation, item, model, openModels } from "./harness-models.ts";

// It serves no need: it is listed with its buttons among all models, and with what is here.
const zipformer = model({ id: "zip former", name: "Zipformer", languages: ["is"] });
const listed = item("All models", "Zipformer");
const own = item("On this server", "Zipformer");
const press = (within: typeof own, action: string) =>
  within.getByRole("button", { name: `${action}: Zipformer`, exact: true }).click();
const buttons = (within: typeof own) =>
  within
    .getByRole("button")
    .elements()
    .map((button) => button.textContent);
const news = () =>
  page
    .getByRole("status")
    .elements()
    .map((status) => status.textContent)
    .join("|");

/** Answers each command with this installation, which the list has from then on. @returns the commands that came */
async function obey(before: Partial<Installation> | null, after: Partial<Installation> | null) {
  const commands: string[] = [];
  const served = await openModels([builtIn, { ...zipformer, installation: before && installation(before) }]);
  answer({
    "POST /admin/models/:id/:command": ({ request }) => {
      commands.push(new URL(request.url).pathname);
      served.models = [builtIn, { ...zipformer, installation: after && installation(after) }];
      return installation(after ?? { state: "cancelled" });
    },
  });
  return commands;
}

test("installs a model, whose name takes the focus, and says that the download has begun", async () => {
  const commands = await obey(null, { state: "downloading" });
  await expect.element(listed).toBeVisible();
  expect(buttons(listed)).toEqual(["Install"]);
  await press(listed, "Install");
  await expect.element(listed.getByRole("heading", { name: "Zipformer" })).toHaveFocus();
  await expect.element(own.getByRole("progressbar")).toBeVisible();
  expect(commands).toEqual(["/admin/models/zip%20former/install"]);
  expect(buttons(own)).toEqual(["Pause", "Cancel"]);
});

test.for([
  ["downloading", "Pause", "pause", "paused", ["Resume", "Cancel"]],
  ["waiting", "Pause", "pause", "paused", ["Resume", "Cancel"]],
  ["paused", "Resume", "resume", "downloading", ["Pause", "Cancel"]],
  ["verifying", "Cancel", "cancel", "cancelled", ["Install"]],
  ["unpacking", "Cancel", "cancel", "cancelled", ["Install"]],
  ["trying", "Cancel", "cancel", "cancelled", ["Install"]],
  ["failed", "Try again", "install", "waiting", ["Pause", "Cancel"]],
  ["failed", "Discard", "cancel", "cancelled", ["Install"]],
] as const)("while it is %s, %s asks the server to %s", async ([before, action, command, after, next]) => {
  const commands = await obey({ state: before }, { state: after });
  await press(own, action);
  await expect.poll(() => buttons(listed)).toEqual(next);
  expect(commands).toEqual([`/admin/models/zip%20former/${command}`]);
});

test("says what another administrator has done with a model", async () => {
  const served = await openModels([builtIn, { ...zipformer, installation: installation() }]);
  await expect.element(own).toBeVisible();
  for (const [state, said] of [
    ["paused", "Zipformer: paused."],
    ["failed", "Zipformer could not be installed."],
  ] as const) {
    // It is asked for every second while something is being installed.
    served.models = [
      builtIn,
      { ...zipformer, installation: installation({ state }) },
      { ...builtIn, id: "b", installation: installation() },
    ];
    await expect.poll(news).toContain(said);
  }
});

test("waits for one command before the next, and asks once for two presses", async () => {
  const held = Promise.withResolvers<void>();
  let calls = 0;
  await openModels([builtIn, { ...zipformer, installation: installation() }]);
  answer({
    "POST /admin/models/:id/pause": async () => {
      calls += 1;
      await held.promise;
      return installation({ state: "paused" });
    },
  });
  const pause = own.getByRole("button", { name: "Pause: Zipformer" });
  await pause.click();
  await expect.element(pause).toHaveAttribute("aria-disabled", "true");
  await expect.element(own.getByRole("button", { name: "Cancel: Zipformer" })).toHaveAttribute("aria-disabled", "true");
  await userEvent.keyboard("{Enter}");
  await own.getByRole("button", { name: "Cancel: Zipformer" }).click({ force: true });
  held.resolve();
  await expect.element(pause).not.toHaveAttribute("aria-disabled");
  expect(calls).toBe(1);
});

test.for([
  ["install", null, "Install", "It could not be installed."],
  ["pause", "downloading", "Pause", "It could not be paused."],
  ["resume", "paused", "Resume", "It could not be resumed."],
  ["cancel", "unpacking", "Cancel", "It could not be cancelled."],
] as const)("says that another administrator was first when the server refuses to %s", async ([command, state, action, text]) => {
  await openModels([builtIn, { ...zipformer, installation: state && installation({ state }) }]);
  answer({ [`POST /admin/models/:id/${command}`]: refusal(409, "conflict") });
  const place = state === null ? listed : own;
  await press(place, action);
  await expect.element(place).toMatchTextContent(`${text}It had changed meanwhile; somebody else may have been at it.`);
  await place.getByRole("button", { name: "OK" }).click();
  await expect.element(place).not.toMatchTextContent(text);
});

test("says that the server can't be reached with a command", async () => {
  await openModels([builtIn, zipformer]);
  answer({ "POST /admin/models/:id/install": lost() });
  await press(listed, "Install");
  await expect.element(listed).toMatchTextContent("It could not be installed.Cannot connect to server.");
});

test("removes a model after a question, and says so", async () => {
  const removed: unknown[] = [];
  const served = await openModels([builtIn, { ...zipformer, diskBytes: 661_190_513, installed: here }]);
  answer({
    "DELETE /admin/models/:id": ({ params }) => {
      removed.push(params.id);
      served.models = [builtIn, zipformer];
      return new Response(null, { status: 204 });
    },
  });
  await expect.element(own).toBeVisible();
  expect(buttons(listed)).toEqual([]);
  const question = page.getByRole("dialog", { name: "Remove Zipformer?" });
  await press(own, "Remove");
  await expect
    .element(question)
    .toMatchTextContent(
      "It frees 661.2 MB. Languages that only this model knows are not available then. It can be installed again.",
    );
  await question.getByRole("button", { name: "Keep it" }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(own.getByRole("button", { name: "Remove: Zipformer" })).toHaveFocus();
  expect(removed).toEqual([]);
  await press(own, "Remove");
  await question.getByRole("button", { name: "Remove" }).click();
  await expect.element(own).not.toBeInTheDocument();
  expect(removed).toEqual(["zip former"]);
  expect(news()).toContain("Zipformer is removed.");
});

test("warns before a model is removed that was unpacked by hand, and keeps one that is in use", async () => {
  await openModels([builtIn, { ...zipformer, installed: { ...here, at: null, source: "byHand" } }]);
  answer({ "DELETE /admin/models/:id": refusal(409, "conflict") });
  await press(own, "Remove");
  const question = page.getByRole("dialog");
  await expect.element(question).toMatchTextContent("It was unpacked by hand: Parlance can’t download it again.");
  await question.getByRole("button", { name: "Remove" }).click();
  await expect
    .element(own)
    .toMatchTextContent("It could not be removed.It is in use. Wait until the transcriptions that need it are done.");
});

test("says why the list can't be shown, and loads it when asked again", async () => {
  answer({ "GET /admin/models": refusal(500, "internal") });
  await openPage("/admin/models", { as: "superuser" });
  await expect.element(page.getByText("The models can’t be shown")).toBeVisible();
  await expect.element(group("All models")).not.toBeInTheDocument();
  answer({ "GET /admin/models": answerWith(builtIn) });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(group("All models")).toBeVisible();
  await expect.element(page.getByText("The models can’t be shown")).not.toBeInTheDocument();
});

test("keeps the list when it can't be brought up to date, and says so until it can", async () => {
  const served = await openModels([builtIn, { ...zipformer, installation: installation() }]);
  await expect.element(own).toBeVisible();
  answer({ "GET /admin/models": lost() });
  const stale = page.getByText("This list can’t be brought up to date at the moment. What is under way on the server goes on.");
  await expect.element(stale).toBeVisible();
  await expect.element(own).toBeVisible();
  served.models = [builtIn, { ...zipformer, installed: here, installation: installation({ state: "installed" }) }];
  answer({ "GET /admin/models": () => served });
  await expect.element(stale).not.toBeInTheDocument();
  await expect.element(own.getByRole("button", { name: "Remove: Zipformer" })).toBeVisible();
  expect(news()).toContain("Zipformer is installed.");
});
