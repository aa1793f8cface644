import { expect, test } from "vitest";
import type { Installation } from "#contract/index.ts";
import { answer, lost, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { answerWith, builtIn, group, here, installation, item, model, openModels } from "./harness-models.ts";

// This model serves no need, so it is listed with its buttons under "All models" and "On this server".
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

/**
 * Answers each command with the new installation, which the list then shows.
 * @returns the paths of the received commands
 */
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

test("installs a model, focuses its name, and shows the download's progress", async () => {
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
] as const)(
  'in the state %s, the button "%s" of an installation sends the command "%s"',
  async ([before, action, command, after, next]) => {
    const commands = await obey({ state: before }, { state: after });
    await press(own, action);
    await expect.poll(() => buttons(listed)).toEqual(next);
    expect(commands).toEqual([`/admin/models/zip%20former/${command}`]);
  },
);

test("announces another administrator's changes to a model", async () => {
  const served = await openModels([builtIn, { ...zipformer, installation: installation() }]);
  await expect.element(own).toBeVisible();
  for (const [state, said] of [
    ["paused", "Zipformer: paused."],
    ["failed", "Couldn’t install Zipformer."],
  ] as const) {
    // The page polls every second while a model is being installed.
    served.models = [
      builtIn,
      { ...zipformer, installation: installation({ state }) },
      { ...builtIn, id: "b", installation: installation() },
    ];
    await expect.poll(news).toContain(said);
  }
});

test("sends one command for two presses, and blocks other commands meanwhile", async () => {
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
  ["install", null, "Install", "Couldn’t install the model."],
  ["pause", "downloading", "Pause", "Couldn’t pause the download."],
  ["resume", "paused", "Resume", "Couldn’t resume the download."],
  ["cancel", "unpacking", "Cancel", "Couldn’t cancel the download."],
] as const)("says that another administrator was first when the server refuses to %s", async ([command, state, action, text]) => {
  await openModels([builtIn, { ...zipformer, installation: state && installation({ state }) }]);
  answer({ [`POST /admin/models/:id/${command}`]: refusal(409, "conflict") });
  const place = state === null ? listed : own;
  await press(place, action);
  await expect
    .element(place)
    .toMatchTextContent(`${text}The model’s state has changed, perhaps because of another administrator.`);
  await place.getByRole("button", { name: "OK" }).click();
  await expect.element(place).not.toMatchTextContent(text);
});

test("says that the server can't be reached when a command fails", async () => {
  await openModels([builtIn, zipformer]);
  answer({ "POST /admin/models/:id/install": lost() });
  await press(listed, "Install");
  await expect.element(listed).toMatchTextContent("Couldn’t install the model.Cannot connect to server.");
});

test("removes a model after confirmation, and announces it", async () => {
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
    .toMatchTextContent("This frees 661.2 MB. Languages that need this model become unavailable. You can install it again.");
  await question.getByRole("button", { name: "Keep" }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(own.getByRole("button", { name: "Remove: Zipformer" })).toHaveFocus();
  expect(removed).toEqual([]);
  await press(own, "Remove");
  await question.getByRole("button", { name: "Remove" }).click();
  await expect.element(own).not.toBeInTheDocument();
  expect(removed).toEqual(["zip former"]);
  expect(news()).toContain("Zipformer was removed.");
});

test("warns before it removes a model that was unpacked by hand, and keeps a model in use", async () => {
  await openModels([builtIn, { ...zipformer, installed: { ...here, at: null, source: "byHand" } }]);
  answer({ "DELETE /admin/models/:id": refusal(409, "conflict") });
  await press(own, "Remove");
  const question = page.getByRole("dialog");
  await expect.element(question).toMatchTextContent("The model was unpacked manually, so Parlance can’t download it again.");
  await question.getByRole("button", { name: "Remove" }).click();
  await expect
    .element(own)
    .toMatchTextContent("Couldn’t remove the model.The model is in use. Wait until the transcriptions that need it are done.");
});

test("says that the models can't be shown, and loads them on retry", async () => {
  answer({ "GET /admin/models": refusal(500, "internal") });
  await openPage("/admin/models", { as: "superuser" });
  await expect.element(page.getByText("Couldn’t load the models")).toBeVisible();
  await expect.element(group("All models")).not.toBeInTheDocument();
  answer({ "GET /admin/models": answerWith(builtIn) });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(group("All models")).toBeVisible();
  await expect.element(page.getByText("Couldn’t load the models")).not.toBeInTheDocument();
});

test("keeps the list of models when polling fails, and says so until polling works again", async () => {
  const served = await openModels([builtIn, { ...zipformer, installation: installation() }]);
  await expect.element(own).toBeVisible();
  answer({ "GET /admin/models": lost() });
  const stale = page.getByText("Couldn’t update this list. Downloads and installations on the server continue.");
  await expect.element(stale).toBeVisible();
  await expect.element(own).toBeVisible();
  served.models = [builtIn, { ...zipformer, installed: here, installation: installation({ state: "installed" }) }];
  answer({ "GET /admin/models": () => served });
  await expect.element(stale).not.toBeInTheDocument();
  await expect.element(own.getByRole("button", { name: "Remove: Zipformer" })).toBeVisible();
  expect(news()).toContain("Zipformer is installed.");
});
